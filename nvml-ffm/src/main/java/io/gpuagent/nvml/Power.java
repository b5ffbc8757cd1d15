// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.PowerLayouts.nvmlDevicePowerMizerModes_v1_t;

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
     * Where the power comes from (nvmlDeviceGetPowerSource).
     *
     * @return the source
     */
    public Answer<Coded<Source>> source() {
        return Queries.coded(device, NvmlFunction.nvmlDeviceGetPowerSource, Source.class);
    }

    /**
     * Whether the driver would act on power (nvmlDeviceGetPowerManagementMode), not whether it does. NVIDIA has
     * deprecated it.
     *
     * @return true where it would
     */
    public Answer<Boolean> isManaged() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetPowerManagementMode);
    }

    /**
     * What the driver was told to prefer (nvmlDeviceGetPowerMizerMode_v1).
     *
     * @return the mode, and those that this GPU has
     */
    public Answer<PowerMizer> powerMizer() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetPowerMizerMode_v1,
                nvmlDevicePowerMizerModes_v1_t,
                modes -> new PowerMizer(
                        modes.coded("currentMode", PowerMizer.Mode.class), modes.u32("supportedPowerMizerModes")));
    }

    /** {@code NVML_POWER_SOURCE_*}. */
    public enum Source implements CEnum {
        /** The mains. */
        AC(0),
        /** A battery. */
        BATTERY(1),
        /** A supply that is too small. */
        UNDERSIZED(2);

        private final int code;

        Source(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /**
     * What the driver was told to prefer.
     *
     * @param current the mode
     * @param supported which modes this GPU has, a bit each
     */
    public record PowerMizer(Coded<Mode> current, long supported) {
        /**
         * Whether this GPU has a mode.
         *
         * @param mode which
         * @return true where it has
         */
        public boolean supports(Mode mode) {
            return (supported & 1L << mode.code()) != 0;
        }

        /** {@code NVML_POWER_MIZER_MODE_*}. */
        public enum Mode implements CEnum {
            /** Clocks follow the load. */
            ADAPTIVE(0),
            /** Clocks are as high as they may be. */
            MAXIMUM_PERFORMANCE(1),
            /** The driver decides. */
            AUTO(2),
            /** Clocks stay at their base. */
            CONSISTENT_PERFORMANCE(3);

            private final int code;

            Mode(int code) {
                this.code = code;
            }

            @Override
            public int code() {
                return code;
            }
        }
    }

    /**
     * Between what the power limit can be set.
     *
     * @param min milliwatts
     * @param max milliwatts
     */
    public record LimitRange(long min, long max) {}
}
