// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;

import java.lang.foreign.StructLayout;

/** Structs of power, heat and what carries it off. */
public final class PowerLayouts {
    /** It has no version member, though its name has a version. */
    public static final StructLayout nvmlDevicePowerMizerModes_v1_t =
            struct("nvmlDevicePowerMizerModes_v1_t", u32("currentMode"), u32("mode"), u32("supportedPowerMizerModes"));

    public static final StructLayout nvmlMask255_t = struct("nvmlMask255_t", array(8, u32("mask"), "mask"));

    public static final StructLayout nvmlWorkloadPowerProfileInfo_v1_t = struct(
            "nvmlWorkloadPowerProfileInfo_v1_t",
            u32("version"),
            u32("profileId"),
            u32("priority"),
            nvmlMask255_t.withName("conflictingMask"));

    public static final StructLayout nvmlWorkloadPowerProfileProfilesInfo_v1_t = struct(
            "nvmlWorkloadPowerProfileProfilesInfo_v1_t",
            u32("version"),
            nvmlMask255_t.withName("perfProfilesMask"),
            array(255, nvmlWorkloadPowerProfileInfo_v1_t, "perfProfile"));

    public static final StructLayout nvmlWorkloadPowerProfileCurrentProfiles_v1_t = struct(
            "nvmlWorkloadPowerProfileCurrentProfiles_v1_t",
            u32("version"),
            nvmlMask255_t.withName("perfProfilesMask"),
            nvmlMask255_t.withName("requestedProfilesMask"),
            nvmlMask255_t.withName("enforcedProfilesMask"));

    public static final StructLayout nvmlMarginTemperature_v1_t =
            struct("nvmlMarginTemperature_v1_t", u32("version"), u32("marginTemperature"));

    public static final StructLayout nvmlGpuThermalSettings_t = struct(
            "nvmlGpuThermalSettings_t",
            u32("count"),
            array(
                    3,
                    struct(
                            "sensor",
                            u32("controller"),
                            u32("defaultMinTemp"),
                            u32("defaultMaxTemp"),
                            u32("currentTemp"),
                            u32("target")),
                    "sensor"));

    public static final StructLayout nvmlCoolerInfo_v1_t =
            struct("nvmlCoolerInfo_v1_t", u32("version"), u32("index"), u32("signalType"), u32("target"));

    public static final StructLayout nvmlFanSpeedInfo_v1_t =
            struct("nvmlFanSpeedInfo_v1_t", u32("version"), u32("fan"), u32("speed"));

    private PowerLayouts() {}
}
