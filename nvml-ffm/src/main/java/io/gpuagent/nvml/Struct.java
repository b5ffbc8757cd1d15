// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpuagent.nvml.internal.Layouts;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A C struct in memory, read by the names that nvml.h gives its members.
 *
 * @param layout how it lies
 * @param memory where
 */
record Struct(StructLayout layout, MemorySegment memory) {
    private long at(String member) {
        return Layouts.offset(layout, member);
    }

    int s32(String member) {
        return memory.get(JAVA_INT, at(member));
    }

    long u32(String member) {
        return Integer.toUnsignedLong(s32(member));
    }

    boolean flag(String member) {
        return s32(member) != 0;
    }

    long u64(String member) {
        return memory.get(JAVA_LONG, at(member));
    }

    int u16(String member) {
        return Short.toUnsignedInt(memory.get(JAVA_SHORT, at(member)));
    }

    int u8(String member) {
        return Byte.toUnsignedInt(memory.get(JAVA_BYTE, at(member)));
    }

    /** A member that holds NVML_VALUE_NOT_AVAILABLE where the driver does not know. */
    OptionalInt optional32(String member) {
        int value = s32(member);
        return value == Queries.NOT_AVAILABLE_32 ? OptionalInt.empty() : OptionalInt.of(value);
    }

    /** A member that holds NVML_VALUE_NOT_AVAILABLE where the driver does not know. */
    OptionalLong optional64(String member) {
        long value = u64(member);
        return value == Queries.NOT_AVAILABLE_64 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    <E extends Enum<E> & CEnum> Coded<E> coded(String member, Class<E> type) {
        return Coded.of(s32(member), type);
    }

    String text(String member) {
        return Queries.string(part(member));
    }

    /** An nvmlMask255_t. */
    BitSet mask(String member) {
        // Its words are in ascending order and little-endian, as BitSet takes them.
        return BitSet.valueOf(part(member).toArray(JAVA_BYTE));
    }

    /** The memory of a member, such as an array or another struct. */
    MemorySegment part(String member) {
        MemoryLayout part = layout.select(PathElement.groupElement(member));
        return memory.asSlice(at(member), part.byteSize());
    }

    Struct struct(String member) {
        return new Struct((StructLayout) layout.select(PathElement.groupElement(member)), part(member));
    }

    /** The first elements of an array of structs; a count beyond the array is the driver's mistake and is cut. */
    <T> List<T> list(String member, long count, Function<Struct, T> reader) {
        SequenceLayout array = (SequenceLayout) layout.select(PathElement.groupElement(member));
        StructLayout element = (StructLayout) array.elementLayout();
        MemorySegment elements = part(member);
        List<T> list = new ArrayList<>();
        for (long i = 0; i < Math.min(count, array.elementCount()); i++) {
            list.add(reader.apply(new Struct(element, elements.asSlice(i * element.byteSize(), element.byteSize()))));
        }
        return list;
    }

    void set(String member, int value) {
        memory.set(JAVA_INT, at(member), value);
    }

    void set(String member, long value) {
        memory.set(JAVA_LONG, at(member), value);
    }

    void set(String member, MemorySegment pointer) {
        memory.set(ADDRESS, at(member), pointer);
    }

    void set(String member, byte value) {
        memory.set(JAVA_BYTE, at(member), value);
    }

    MemorySegment pointer(String member) {
        return memory.get(ADDRESS, at(member));
    }

    /** The first bytes of an array, copied; a count beyond the array is the driver's mistake and is cut. */
    ByteBuffer bytes(String member, long count) {
        MemorySegment array = part(member);
        return ByteBuffer.wrap(
                        array.asSlice(0, Math.min(count, array.byteSize())).toArray(JAVA_BYTE))
                .asReadOnlyBuffer();
    }
}
