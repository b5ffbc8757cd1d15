// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** What the process that uses the simulated library may do. */
public enum Privilege {
    /** Everything. */
    ROOT,
    /** Create and destroy MIG instances: it can read {@code /dev/nvidia-caps/nvidia-cap1}. */
    MIG_CONFIG,
    /** See all MIG instances: it can read {@code /dev/nvidia-caps/nvidia-cap2}. */
    MIG_MONITOR
}
