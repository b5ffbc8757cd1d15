// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Handle;

/** Power draw and its limits in milliwatts, energy in millijoules. */
public final class Power {
    private final Handle device;

    Power(Handle device) {
        this.device = device;
    }

    /**
     * Power draw (nvmlDeviceGetPowerUsage): averaged over one second on Ampere and newer except GA100, otherwise now.
     *
     * @return milliwatts
     */
    public Answer<Long> usage() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPowerUsage);
    }

    /**
     * The lowest of all limits that hold now (nvmlDeviceGetEnforcedPowerLimit).
     *
     * @return milliwatts
     */
    public Answer<Long> enforcedLimit() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetEnforcedPowerLimit);
    }

    /**
     * The limit that was asked for (nvmlDeviceGetPowerManagementLimit).
     *
     * @return milliwatts
     */
    public Answer<Long> requestedLimit() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPowerManagementLimit);
    }

    /**
     * The limit that the board boots with (nvmlDeviceGetPowerManagementDefaultLimit).
     *
     * @return milliwatts
     */
    public Answer<Long> defaultLimit() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetPowerManagementDefaultLimit);
    }

    /**
     * Between what the limit can be set (nvmlDeviceGetPowerManagementLimitConstraints).
     *
     * @return both ends, milliwatts
     */
    public Answer<LimitRange> limitRange() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetPowerManagementLimitConstraints)
                .map(pair -> new LimitRange(pair.first(), pair.second()));
    }

    /**
     * Energy used since the driver was loaded (nvmlDeviceGetTotalEnergyConsumption). It takes 3 ms on an H200.
     *
     * @return millijoules
     */
    public Answer<Long> energy() {
        return Queries.u64(device, NvmlFunction.nvmlDeviceGetTotalEnergyConsumption);
    }

    /**
     * Between what the power limit can be set.
     *
     * @param min milliwatts
     * @param max milliwatts
     */
    public record LimitRange(long min, long max) {}
}
