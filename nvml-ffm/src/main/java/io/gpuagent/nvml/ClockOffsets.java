// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlClockOffset_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** By how much clocks were moved against their voltage, in MHz; an offset may be negative. */
public final class ClockOffsets {
    private final Handle device;

    ClockOffsets(Handle device) {
        this.device = device;
    }

    /**
     * The offset of a clock in one performance state (nvmlDeviceGetClockOffsets).
     *
     * @param domain graphics or memory; for others NVML answers INVALID_ARGUMENT
     * @param performanceState 0 to 15
     * @return the offset and its range, MHz
     */
    public Answer<Offset> of(Clocks.Domain domain, int performanceState) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetClockOffsets,
                nvmlClockOffset_v1_t,
                1,
                question -> {
                    question.set("type", domain.code());
                    question.set("pstate", performanceState);
                },
                answer -> new Offset(
                        answer.s32("clockOffsetMHz"),
                        new Range(answer.s32("minClockOffsetMHz"), answer.s32("maxClockOffsetMHz"))));
    }

    /**
     * The graphics clock's offset in the fastest state (nvmlDeviceGetGpcClkVfOffset). Drivers before 560 or so have only
     * this.
     *
     * @return MHz
     */
    public Answer<Integer> graphics() {
        return Queries.s32(device, NvmlFunction.nvmlDeviceGetGpcClkVfOffset);
    }

    /**
     * Between what the graphics clock's offset can be set (nvmlDeviceGetGpcClkMinMaxVfOffset).
     *
     * @return MHz
     */
    public Answer<Range> graphicsRange() {
        return range(NvmlFunction.nvmlDeviceGetGpcClkMinMaxVfOffset);
    }

    /**
     * The memory clock's offset in the fastest state (nvmlDeviceGetMemClkVfOffset). Drivers before 560 or so have only
     * this.
     *
     * @return MHz
     */
    public Answer<Integer> memory() {
        return Queries.s32(device, NvmlFunction.nvmlDeviceGetMemClkVfOffset);
    }

    /**
     * Between what the memory clock's offset can be set (nvmlDeviceGetMemClkMinMaxVfOffset).
     *
     * @return MHz
     */
    public Answer<Range> memoryRange() {
        return range(NvmlFunction.nvmlDeviceGetMemClkMinMaxVfOffset);
    }

    private Answer<Range> range(NvmlFunction function) {
        Scratch scratch = Scratch.fresh();
        MemorySegment min = scratch.take(JAVA_INT);
        MemorySegment max = scratch.take(JAVA_INT);
        int code = device.calls().call(function, device, min, max);
        return Queries.answer(
                function, code, min, m -> new Answer.Value<>(new Range(m.get(JAVA_INT, 0), max.get(JAVA_INT, 0))));
    }

    /**
     * An offset.
     *
     * @param current MHz
     * @param range between what it can be set
     */
    public record Offset(int current, Range range) {}

    /**
     * Between what an offset can be set.
     *
     * @param min MHz
     * @param max MHz
     */
    public record Range(int min, int max) {}
}
