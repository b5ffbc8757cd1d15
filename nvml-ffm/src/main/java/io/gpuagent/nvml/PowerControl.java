// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ControlLayouts.nvmlPowerSmoothingProfile_v1_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlPowerSmoothingState_v1_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlPowerValue_v2_t;
import static io.gpuagent.nvml.internal.ControlLayouts.nvmlWorkloadPowerProfileRequestedProfiles_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.gpuagent.nvml.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;

/** Sets power limits and profiles. */
public final class PowerControl {
    private final Handle device;

    PowerControl(Handle device) {
        this.device = device;
    }

    /**
     * Sets the power limit of the GPU (nvmlDeviceSetPowerManagementLimit_v2; where the driver lacks it,
     * nvmlDeviceSetPowerManagementLimit).
     *
     * @param milliwatts within {@link Power#limitRange()}
     * @return done; INVALID_ARGUMENT outside of it
     */
    public Answer<Done> limit(int milliwatts) {
        Answer<Done> newest = limit(Scope.GPU, milliwatts);
        // Only a missing symbol leads to the older function: whatever else was answered, the driver has seen the
        // change.
        if (!newest.equals(Queries.refused(
                NvmlFunction.nvmlDeviceSetPowerManagementLimit_v2, NvmlReturn.FUNCTION_NOT_FOUND.code()))) {
            return newest;
        }
        NvmlFunction function = NvmlFunction.nvmlDeviceSetPowerManagementLimit;
        return Queries.done(function, device.calls().call(function, device, milliwatts));
    }

    /**
     * Sets the power limit of the GPU, of its memory or of the module that it shares with a CPU
     * (nvmlDeviceSetPowerManagementLimit_v2).
     *
     * @param scope of what
     * @param milliwatts the limit
     * @return done; INVALID_ARGUMENT outside the allowed range
     */
    public Answer<Done> limit(Scope scope, int milliwatts) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceSetPowerManagementLimit_v2,
                nvmlPowerValue_v2_t,
                2,
                value -> {
                    value.part("powerScope").set(JAVA_BYTE, 0, scope.c);
                    value.set("powerValueMw", milliwatts);
                },
                value -> Done.DONE);
    }

    /**
     * Asks for workload power profiles beside those asked for already (nvmlDeviceWorkloadPowerProfileSetRequestedProfiles);
     * Blackwell and newer.
     *
     * @param profiles numbers of profiles
     * @return done; NOT_SUPPORTED before Blackwell
     */
    public Answer<Done> requestProfiles(BitSet profiles) {
        return profiles(NvmlFunction.nvmlDeviceWorkloadPowerProfileSetRequestedProfiles, profiles);
    }

    /**
     * Takes back the request for workload power profiles (nvmlDeviceWorkloadPowerProfileClearRequestedProfiles).
     *
     * @param profiles numbers of profiles
     * @return done; NOT_SUPPORTED before Blackwell
     */
    public Answer<Done> withdrawProfiles(BitSet profiles) {
        return profiles(NvmlFunction.nvmlDeviceWorkloadPowerProfileClearRequestedProfiles, profiles);
    }

    private Answer<Done> profiles(NvmlFunction function, BitSet profiles) {
        return Structs.versioned(
                device,
                function,
                nvmlWorkloadPowerProfileRequestedProfiles_v1_t,
                1,
                request ->
                        request.part("requestedProfilesMask").copyFrom(MemorySegment.ofArray(profiles.toByteArray())),
                request -> Done.DONE);
    }

    /**
     * Switches power smoothing on or off (nvmlDevicePowerSmoothingSetState); Blackwell and newer.
     *
     * @param enabled on
     * @return done; NOT_SUPPORTED before Blackwell
     */
    public Answer<Done> smoothing(boolean enabled) {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDevicePowerSmoothingSetState,
                nvmlPowerSmoothingState_v1_t,
                1,
                state -> state.set("state", Control.flag(enabled)),
                state -> Done.DONE);
    }

    /**
     * Takes a preset profile of power smoothing (nvmlDevicePowerSmoothingActivatePresetProfile).
     *
     * @param profile its number, 0 to 4
     * @return done; NOT_SUPPORTED before Blackwell
     */
    public Answer<Done> smoothingProfile(int profile) {
        return smoothing(
                NvmlFunction.nvmlDevicePowerSmoothingActivatePresetProfile,
                request -> request.set("profileId", profile));
    }

    /**
     * Changes a parameter of a preset profile of power smoothing (nvmlDevicePowerSmoothingUpdatePresetProfileParam).
     *
     * @param profile its number, 0 to 4
     * @param parameter which
     * @param value in the parameter's unit
     * @return done; NOT_SUPPORTED before Blackwell
     */
    public Answer<Done> smoothingParameter(int profile, SmoothingParameter parameter, double value) {
        return smoothing(NvmlFunction.nvmlDevicePowerSmoothingUpdatePresetProfileParam, request -> {
            request.set("profileId", profile);
            request.set("paramId", parameter.c);
            // A double lies in memory as its bits do.
            request.set("value", Double.doubleToRawLongBits(value));
        });
    }

    private Answer<Done> smoothing(NvmlFunction function, Consumer<Struct> question) {
        return Structs.versioned(device, function, nvmlPowerSmoothingProfile_v1_t, 1, question, request -> Done.DONE);
    }

    /** NVML_POWER_SCOPE_*. */
    public enum Scope {
        /** The GPU. */
        GPU(0),
        /** The module: GPU and CPU. */
        MODULE(1),
        /** The GPU's memory. */
        MEMORY(2);

        private final byte c;

        Scope(int c) {
            this.c = (byte) c;
        }
    }

    /** NVML_POWER_SMOOTHING_PROFILE_PARAM_*. */
    public enum SmoothingParameter {
        /** Floor of the power draw in percent of the thermal design power. */
        TMP_FLOOR_PERCENT(0),
        /** How fast power may rise, watts per second. */
        RAMP_UP_RATE(1),
        /** How fast power may fall, watts per second. */
        RAMP_DOWN_RATE(2),
        /** How long power stays up before it falls, milliseconds. */
        RAMP_DOWN_HYSTERESIS(3);

        private final int c;

        SmoothingParameter(int c) {
            this.c = c;
        }
    }
}
