// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlBAR1Memory_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlMemory_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlMemory_v2_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** The frame buffer and the window to it. */
public final class Memory {
    private static final int VERSION_2 = Layouts.version(nvmlMemory_v2_t, 2);
    private static final long VERSION = offset(nvmlMemory_v2_t, "version");
    private static final long TOTAL = offset(nvmlMemory_v2_t, "total");
    private static final long RESERVED = offset(nvmlMemory_v2_t, "reserved");
    private static final long FREE = offset(nvmlMemory_v2_t, "free");
    private static final long USED = offset(nvmlMemory_v2_t, "used");

    private final Handle device;

    Memory(Handle device) {
        this.device = device;
    }

    /**
     * Size and use (nvmlDeviceGetMemoryInfo_v2; where the driver does not know it, nvmlDeviceGetMemoryInfo, which counts
     * reserved memory as used).
     *
     * @return the sizes, unavailable where the driver does not know one of them; NOT_SUPPORTED on GPUs that share the host's memory
     */
    public Answer<Use> use() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMemoryInfo_v2;
        MemorySegment out = Scratch.fresh().take(nvmlMemory_v2_t);
        out.set(JAVA_INT, VERSION, VERSION_2);
        int code = device.calls().call(function, device, out);
        if (Versions.older(code)) {
            return version1();
        }
        if (code != Queries.OK) {
            return Queries.refused(function, code);
        }
        return whole(
                function,
                new Use(
                        out.get(JAVA_LONG, TOTAL),
                        out.get(JAVA_LONG, FREE),
                        out.get(JAVA_LONG, USED),
                        known(out.get(JAVA_LONG, RESERVED))));
    }

    private Answer<Use> version1() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMemoryInfo;
        MemorySegment out = Scratch.fresh().take(nvmlMemory_t);
        int code = device.calls().call(function, device, out);
        return Queries.answer(
                function,
                code,
                out,
                o -> whole(
                        function,
                        new Use(
                                o.get(JAVA_LONG, offset(nvmlMemory_t, "total")),
                                o.get(JAVA_LONG, offset(nvmlMemory_t, "free")),
                                o.get(JAVA_LONG, offset(nvmlMemory_t, "used")),
                                OptionalLong.empty())));
    }

    /** Sizes of which one is not known do not add up: they are no answer. */
    private static Answer<Use> whole(NvmlFunction function, Use use) {
        boolean isPartial = use.total == Queries.NOT_AVAILABLE_64
                || use.free == Queries.NOT_AVAILABLE_64
                || use.used == Queries.NOT_AVAILABLE_64;
        return isPartial ? new Answer.Unavailable<>(function) : new Answer.Value<>(use);
    }

    private static OptionalLong known(long size) {
        return size == Queries.NOT_AVAILABLE_64 ? OptionalLong.empty() : OptionalLong.of(size);
    }

    /**
     * The window through which CPU and other devices reach the frame buffer (nvmlDeviceGetBAR1MemoryInfo).
     *
     * @return its size and use, {@code reserved} empty
     */
    public Answer<Use> bar1() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetBAR1MemoryInfo;
        MemorySegment out = Scratch.fresh().take(nvmlBAR1Memory_t);
        return Queries.answer(
                function,
                device.calls().call(function, device, out),
                out,
                o -> whole(
                        function,
                        new Use(
                                o.get(JAVA_LONG, offset(nvmlBAR1Memory_t, "bar1Total")),
                                o.get(JAVA_LONG, offset(nvmlBAR1Memory_t, "bar1Free")),
                                o.get(JAVA_LONG, offset(nvmlBAR1Memory_t, "bar1Used")),
                                OptionalLong.empty())));
    }

    /**
     * Sizes in bytes.
     *
     * @param total installed
     * @param free available to programs
     * @param used taken by programs; without {@code reserved} it holds what the driver reserved, too
     * @param reserved set aside by driver and firmware; empty from version 1 of the call, or where
     *     the driver does not know
     */
    public record Use(long total, long free, long used, OptionalLong reserved) {}
}
