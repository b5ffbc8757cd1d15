// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import java.util.Locale;

/**
 * Somebody who can be asked.
 *
 * @param name how the document names it, such as {@code gpu0/gpu-instance1}
 * @param kind what it is
 * @param handle its handle; 0 for the node
 */
record CapturedObject(String name, Kind kind, long handle) {
    static final String NODE = "node";

    /** The kinds, as the sections of the list name them. */
    enum Kind {
        NODE,
        GPU,
        MIG_DEVICE,
        GPU_INSTANCE,
        COMPUTE_INSTANCE;

        static Kind of(String section) {
            return valueOf(section.toUpperCase(Locale.ROOT).replace('-', '_'));
        }

        /** What a new handle of this C type is: GPUs are all known before the first instance is met. */
        static Kind ofHandle(String type) {
            return switch (type) {
                case "nvmlDevice_t" -> MIG_DEVICE;
                case "nvmlGpuInstance_t" -> GPU_INSTANCE;
                case "nvmlComputeInstance_t" -> COMPUTE_INSTANCE;
                default -> throw new IllegalArgumentException(type + " is no handle");
            };
        }

        String section() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
