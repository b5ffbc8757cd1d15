// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.PowerLayouts.nvmlCoolerInfo_v1_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlFanSpeedInfo_v1_t;

import io.gpuagent.nvml.internal.Handle;

/**
 * Fans, by number from 0. Speeds are those that the driver intends: a fan that is blocked does not show. Data-centre
 * cards have none and answer NOT_SUPPORTED or INVALID_ARGUMENT.
 */
public final class Fans {
    private final Handle device;

    Fans(Handle device) {
        this.device = device;
    }

    /**
     * How many there are (nvmlDeviceGetNumFans).
     *
     * @return the count
     */
    public Answer<Integer> count() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetNumFans).map(Long::intValue);
    }

    /**
     * Speed (nvmlDeviceGetFanSpeed_v2; for the first fan in older drivers nvmlDeviceGetFanSpeed).
     *
     * @param fan which
     * @return percent of the highest speed that noise allows; it may be over 100
     */
    public Answer<Long> speed(int fan) {
        Answer<Long> speed = Queries.u32(device, NvmlFunction.nvmlDeviceGetFanSpeed_v2, fan);
        return fan == 0 && Versions.older(speed) ? Queries.u32(device, NvmlFunction.nvmlDeviceGetFanSpeed) : speed;
    }

    /**
     * Speed that the driver steers to (nvmlDeviceGetTargetFanSpeed).
     *
     * @param fan which
     * @return percent of the highest speed that noise allows; it may be over 100
     */
    public Answer<Long> targetSpeed(int fan) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetTargetFanSpeed, fan);
    }

    /**
     * Speed in revolutions (nvmlDeviceGetFanSpeedRPM).
     *
     * @param fan which
     * @return revolutions per minute
     */
    public Answer<Long> revolutions(int fan) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetFanSpeedRPM,
                nvmlFanSpeedInfo_v1_t,
                1,
                question -> question.set("fan", fan),
                answer -> answer.u32("speed"));
    }

    /**
     * Who steers it (nvmlDeviceGetFanControlPolicy_v2).
     *
     * @param fan which
     * @return the policy
     */
    public Answer<Coded<Policy>> policy(int fan) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetFanControlPolicy_v2, fan)
                .map(policy -> Coded.of(policy.intValue(), Policy.class));
    }

    /**
     * Between what a speed can be set (nvmlDeviceGetMinMaxFanSpeed).
     *
     * @return both ends
     */
    public Answer<SpeedRange> speedRange() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetMinMaxFanSpeed)
                .map(pair -> new SpeedRange(pair.first(), pair.second()));
    }

    /**
     * What a cooler is (nvmlDeviceGetCoolerInfo).
     *
     * @param index which, from 0
     * @return how it is steered and what it cools
     */
    public Answer<Cooler> cooler(int index) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetCoolerInfo,
                nvmlCoolerInfo_v1_t,
                1,
                question -> question.set("index", index),
                answer -> new Cooler(answer.coded("signalType", Cooler.Control.class), answer.u32("target")));
    }

    /**
     * Between what a fan's speed can be set.
     *
     * @param min percent
     * @param max percent
     */
    public record SpeedRange(long min, long max) {}

    /**
     * A cooler.
     *
     * @param control how it is steered
     * @param targets what it cools, a mask of NVML_THERMAL_COOLER_TARGET_* bits
     */
    public record Cooler(Coded<Control> control, long targets) {
        /**
         * Whether it cools something.
         *
         * @param target what
         * @return true where it does
         */
        public boolean cools(Target target) {
            return (targets & target.code()) != 0;
        }

        /** {@code nvmlCoolerControl_t}. */
        public enum Control implements CEnum {
            /** Not at all. */
            NONE(0),
            /** It is on or off. */
            TOGGLE(1),
            /** Between a least and a most. */
            VARIABLE(2);

            private final int code;

            Control(int code) {
                this.code = code;
            }

            @Override
            public int code() {
                return code;
            }
        }

        /** {@code nvmlCoolerTarget_t}, a bit each. */
        public enum Target implements CEnum {
            /** Nothing. */
            NONE(1),
            /** The GPU. */
            GPU(1 << 1),
            /** The memory. */
            MEMORY(1 << 2),
            /** The power supply. */
            POWER_SUPPLY(1 << 3);

            private final int code;

            Target(int code) {
                this.code = code;
            }

            @Override
            public int code() {
                return code;
            }
        }
    }

    /** {@code NVML_FAN_POLICY_*}. */
    public enum Policy implements CEnum {
        /** The driver, by temperature. */
        TEMPERATURE(0),
        /** A user has set the speed. */
        MANUAL(1);

        private final int code;

        Policy(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
