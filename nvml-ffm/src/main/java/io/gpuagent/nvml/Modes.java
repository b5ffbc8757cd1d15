// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Handle;
import java.util.Map;

/** What the GPU is set to. Nothing here sets it. */
public final class Modes {
    // nvml.h: nvmlComputeMode_t.
    private static final Map<Integer, String> COMPUTE_MODES =
            Map.of(0, "default", 1, "exclusive_thread", 2, "prohibited", 3, "exclusive_process");

    private final Handle device;

    Modes(Handle device) {
        this.device = device;
    }

    /**
     * Whether MIG is on (nvmlDeviceGetMigMode).
     *
     * @return now and after the next reset; NOT_SUPPORTED on GPUs that cannot do MIG
     */
    public Answer<Mode> mig() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetMigMode).map(Mode::of);
    }

    /**
     * Whether the driver keeps the GPU initialised without clients (nvmlDeviceGetPersistenceMode).
     *
     * @return true where it does
     */
    public Answer<Boolean> persistence() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPersistenceMode).map(mode -> mode != 0);
    }

    /**
     * Who may open contexts (nvmlDeviceGetComputeMode).
     *
     * @return default, exclusive_thread, prohibited or exclusive_process; the number for one newer than nvml.h 13.0
     */
    public Answer<String> compute() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetComputeMode)
                .map(mode -> COMPUTE_MODES.getOrDefault(mode.intValue(), mode.toString()));
    }
}
