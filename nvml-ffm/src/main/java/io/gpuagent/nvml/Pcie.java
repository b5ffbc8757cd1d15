// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Handle;

/** The PCI Express link. */
public final class Pcie {
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
}
