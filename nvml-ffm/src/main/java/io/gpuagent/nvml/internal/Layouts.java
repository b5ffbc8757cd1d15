// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * How the structs of nvml.h lie in memory, and those of the topics that every poll asks. The structs of other topics
 * stand in classes of their own, {@code …Layouts}. All are named as in C, members in the header's order. Padding is
 * put in by the rule the C compiler follows; every build compares sizes and offsets with what a compiled probe printed
 * (abi/nvml-structs.json).
 */
public final class Layouts {
    public static final StructLayout nvmlPciInfo_t = struct(
            "nvmlPciInfo_t",
            chars(16, "busIdLegacy"),
            u32("domain"),
            u32("bus"),
            u32("device"),
            u32("pciDeviceId"),
            u32("pciSubSystemId"),
            chars(32, "busId"));

    public static final StructLayout nvmlUtilization_t = struct("nvmlUtilization_t", u32("gpu"), u32("memory"));

    public static final StructLayout nvmlMemory_t = struct("nvmlMemory_t", u64("total"), u64("free"), u64("used"));

    public static final StructLayout nvmlMemory_v2_t =
            struct("nvmlMemory_v2_t", u32("version"), u64("total"), u64("reserved"), u64("free"), u64("used"));

    public static final StructLayout nvmlTemperature_v1_t =
            struct("nvmlTemperature_v1_t", u32("version"), u32("sensorType"), u32("temperature"));

    public static final StructLayout nvmlProcessInfo_v1_t =
            struct("nvmlProcessInfo_v1_t", u32("pid"), u64("usedGpuMemory"));

    public static final StructLayout nvmlProcessInfo_v2_t = struct(
            "nvmlProcessInfo_v2_t", u32("pid"), u64("usedGpuMemory"), u32("gpuInstanceId"), u32("computeInstanceId"));

    /** Its last member is the union nvmlValue_t: eight bytes, read by valueType. */
    public static final StructLayout nvmlFieldValue_t = struct(
            "nvmlFieldValue_t",
            u32("fieldId"),
            u32("scopeId"),
            u64("timestamp"),
            u64("latencyUsec"),
            u32("valueType"),
            u32("nvmlReturn"),
            u64("value"));

    private Layouts() {}

    /**
     * Where a member lies.
     *
     * @param struct one of the structs above
     * @param member its member
     * @return the offset in bytes
     */
    public static long offset(StructLayout struct, String member) {
        return struct.byteOffset(PathElement.groupElement(member));
    }

    /**
     * A struct's version word, as the macro NVML_STRUCT_VERSION of nvml.h makes it.
     *
     * @param struct the struct
     * @param version its version
     * @return size and version
     */
    public static int version(StructLayout struct, int version) {
        return (int) struct.byteSize() | version << 24;
    }

    static ValueLayout u8(String name) {
        return JAVA_BYTE.withName(name);
    }

    static ValueLayout u16(String name) {
        return JAVA_SHORT.withName(name);
    }

    /** A 32-bit integer, with or without sign, or an enum. */
    static ValueLayout u32(String name) {
        return JAVA_INT.withName(name);
    }

    /** A 64-bit integer, with or without sign, or a union of that size. */
    static ValueLayout u64(String name) {
        return JAVA_LONG.withName(name);
    }

    static ValueLayout f64(String name) {
        return JAVA_DOUBLE.withName(name);
    }

    static ValueLayout pointer(String name) {
        return ADDRESS.withName(name);
    }

    static SequenceLayout chars(int count, String name) {
        return array(count, JAVA_BYTE, name);
    }

    static SequenceLayout array(int count, MemoryLayout element, String name) {
        return MemoryLayout.sequenceLayout(count, element.withoutName()).withName(name);
    }

    /** A struct by its members in the header's order; padding is put in as the C compiler does. */
    static StructLayout struct(String name, MemoryLayout... members) {
        List<MemoryLayout> padded = new ArrayList<>();
        long end = 0;
        long alignment = 1;
        for (MemoryLayout member : members) {
            end = pad(padded, end, member.byteAlignment());
            padded.add(member);
            end += member.byteSize();
            alignment = Math.max(alignment, member.byteAlignment());
        }
        pad(padded, end, alignment);
        return MemoryLayout.structLayout(padded.toArray(MemoryLayout[]::new)).withName(name);
    }

    private static long pad(List<MemoryLayout> members, long end, long alignment) {
        long gap = (alignment - end % alignment) % alignment;
        if (gap > 0) {
            members.add(MemoryLayout.paddingLayout(gap));
        }
        return end + gap;
    }
}
