// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * What the handle of a MIG device, GPU instance or compute instance stands for in a replay.
 *
 * @param gpu the GPU that it is a part of
 * @param object its name in the capture
 */
record ReplayedInstance(SimulatedGpu gpu, String object) {
    /** Whether a function whose first handle is of that kind may be asked about it. */
    boolean isA(Class<?> kind) {
        String last = object.substring(object.lastIndexOf('/') + 1);
        return last.startsWith("gpu-instance")
                ? kind == MigGpuInstance.class
                : last.startsWith("compute-instance") ? kind == MigComputeInstance.class : kind == SimulatedGpu.class;
    }
}
