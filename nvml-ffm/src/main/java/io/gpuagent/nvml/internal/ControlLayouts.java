// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.f64;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;
import static io.gpuagent.nvml.internal.Layouts.u8;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;

/** Structs of setters, where no getter fills the same one. */
public final class ControlLayouts {
    public static final StructLayout nvmlPowerValue_v2_t =
            struct("nvmlPowerValue_v2_t", u32("version"), u8("powerScope"), u32("powerValueMw"));

    /** Its mask is an nvmlMask255_t. */
    public static final StructLayout nvmlWorkloadPowerProfileRequestedProfiles_v1_t = struct(
            "nvmlWorkloadPowerProfileRequestedProfiles_v1_t",
            u32("version"),
            array(8, JAVA_INT, "requestedProfilesMask"));

    public static final StructLayout nvmlPowerSmoothingProfile_v1_t =
            struct("nvmlPowerSmoothingProfile_v1_t", u32("version"), u32("profileId"), u32("paramId"), f64("value"));

    public static final StructLayout nvmlPowerSmoothingState_v1_t =
            struct("nvmlPowerSmoothingState_v1_t", u32("version"), u32("state"));

    public static final StructLayout nvmlNvLinkPowerThres_t = struct("nvmlNvLinkPowerThres_t", u32("lowPwrThreshold"));

    public static final StructLayout nvmlConfComputeSetKeyRotationThresholdInfo_v1_t =
            struct("nvmlConfComputeSetKeyRotationThresholdInfo_v1_t", u32("version"), u64("maxAttackerAdvantage"));

    private ControlLayouts() {}
}
