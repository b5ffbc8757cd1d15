// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Something that happened between the driver and a GPU.
 *
 * @param gpu the GPU
 * @param type one bit of nvmlSystemEventType*
 */
record SystemEvent(SimulatedGpu gpu, long type) {
    static final long UNBIND = 0x1;
    static final long BIND = 0x2;
}
