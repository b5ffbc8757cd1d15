// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Handle;

/** The PCI Express link. */
public final class Pcie {
    // nvml.h: NVML_PCIE_LINK_MAX_SPEED_2500MBPS (1) to _64000MBPS (6).
    private static final long[] MAX_SPEEDS = {0, 2500, 5000, 8000, 16_000, 32_000, 64_000};

    private final Handle device;

    Pcie(Handle device) {
        this.device = device;
    }

    /**
     * Generation now (nvmlDeviceGetCurrPcieLinkGeneration); it may drop while the GPU is idle.
     *
     * @return 1 and up
     */
    public Answer<Integer> generation() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetCurrPcieLinkGeneration)
                .map(Long::intValue);
    }

    /**
     * Width now (nvmlDeviceGetCurrPcieLinkWidth).
     *
     * @return lanes
     */
    public Answer<Integer> width() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetCurrPcieLinkWidth).map(Long::intValue);
    }

    /**
     * The highest generation of GPU and slot together (nvmlDeviceGetMaxPcieLinkGeneration).
     *
     * @return 1 and up
     */
    public Answer<Integer> maxGeneration() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxPcieLinkGeneration)
                .map(Long::intValue);
    }

    /**
     * The largest width of GPU and slot together (nvmlDeviceGetMaxPcieLinkWidth).
     *
     * @return lanes
     */
    public Answer<Integer> maxWidth() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxPcieLinkWidth).map(Long::intValue);
    }

    /**
     * The highest generation of the GPU, whatever the slot (nvmlDeviceGetGpuMaxPcieLinkGeneration).
     *
     * @return 1 and up
     */
    public Answer<Integer> gpuMaxGeneration() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetGpuMaxPcieLinkGeneration)
                .map(Long::intValue);
    }

    /**
     * Speed of a lane now (nvmlDeviceGetPcieSpeed).
     *
     * @return megabits a second, before encoding: 32000 for generation 5
     */
    public Answer<Long> speed() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPcieSpeed);
    }

    /**
     * The highest speed of a lane (nvmlDeviceGetPcieLinkMaxSpeed).
     *
     * @return megabits a second, before encoding; unavailable for a speed newer than nvml.h 13.0
     */
    public Answer<Long> maxSpeed() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetPcieLinkMaxSpeed;
        Answer<Long> number = Queries.u32(device, function);
        if (number instanceof Answer.Value<Long>(Long n) && (n == 0 || n >= MAX_SPEEDS.length)) {
            return new Answer.Unavailable<>(function);
        }
        return number.map(n -> MAX_SPEEDS[n.intValue()]);
    }

    /**
     * Packets that were sent again (nvmlDeviceGetPcieReplayCounter).
     *
     * @return the count
     */
    public Answer<Long> replays() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPcieReplayCounter);
    }

    /**
     * Traffic (nvmlDeviceGetPcieThroughput). The call measures: it takes the 20 ms that it measures over.
     *
     * @param direction sent or received
     * @return kilobytes a second
     */
    public Answer<Long> throughput(Direction direction) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPcieThroughput, direction.c);
    }

    /** {@code nvmlPcieUtilCounter_t}. */
    public enum Direction {
        /** From the GPU. */
        SENT(0),
        /** To the GPU. */
        RECEIVED(1);

        private final int c;

        Direction(int c) {
            this.c = c;
        }
    }
}
