// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of clocks and performance states. */
public final class ClockLayouts {
    public static final StructLayout nvmlClockOffset_v1_t = struct(
            "nvmlClockOffset_v1_t",
            u32("version"),
            u32("type"),
            u32("pstate"),
            u32("clockOffsetMHz"),
            u32("minClockOffsetMHz"),
            u32("maxClockOffsetMHz"));

    public static final StructLayout nvmlDevicePerfModes_v1_t =
            struct("nvmlDevicePerfModes_v1_t", u32("version"), chars(2048, "str"));

    public static final StructLayout nvmlDeviceCurrentClockFreqs_v1_t =
            struct("nvmlDeviceCurrentClockFreqs_v1_t", u32("version"), chars(2048, "str"));

    public static final StructLayout nvmlClkMonFaultInfo_t =
            struct("nvmlClkMonFaultInfo_t", u32("clkApiDomain"), u32("clkDomainFaultMask"));

    public static final StructLayout nvmlClkMonStatus_t = struct(
            "nvmlClkMonStatus_t",
            u32("bGlobalStatus"),
            u32("clkMonListSize"),
            array(32, nvmlClkMonFaultInfo_t, "clkMonList"));

    public static final StructLayout nvmlViolationTime_t =
            struct("nvmlViolationTime_t", u64("referenceTime"), u64("violationTime"));

    public static final StructLayout nvmlGpuDynamicPstatesInfo_t = struct(
            "nvmlGpuDynamicPstatesInfo_t",
            u32("flags"),
            array(
                    8,
                    struct(
                            "utilization",
                            u32("bIsPresent"),
                            u32("percentage"),
                            u32("incThreshold"),
                            u32("decThreshold")),
                    "utilization"));

    private ClockLayouts() {}
}
