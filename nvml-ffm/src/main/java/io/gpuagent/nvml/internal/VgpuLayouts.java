// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u16;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;
import static io.gpuagent.nvml.internal.Layouts.u8;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.StructLayout;

/**
 * Structs of vGPUs, as their host sees them. Of the union nvmlVgpuSchedulerParams_t the first word is the averaging
 * factor and the second the time slice with adaptive round robin, the first the time slice without.
 */
public final class VgpuLayouts {
    public static final StructLayout nvmlVgpuVersion_t =
            struct("nvmlVgpuVersion_t", u32("minVersion"), u32("maxVersion"));

    public static final StructLayout nvmlVgpuHeterogeneousMode_v1_t =
            struct("nvmlVgpuHeterogeneousMode_v1_t", u32("version"), u32("mode"));

    /** Its figures are unions nvmlValue_t: eight bytes each, read by sampleValType. */
    public static final StructLayout nvmlVgpuInstanceUtilizationInfo_v1_t = struct(
            "nvmlVgpuInstanceUtilizationInfo_v1_t",
            u64("timeStamp"),
            u32("vgpuInstance"),
            u64("smUtil"),
            u64("memUtil"),
            u64("encUtil"),
            u64("decUtil"),
            u64("jpgUtil"),
            u64("ofaUtil"));

    public static final StructLayout nvmlVgpuInstancesUtilizationInfo_v1_t = struct(
            "nvmlVgpuInstancesUtilizationInfo_v1_t",
            u32("version"),
            u32("sampleValType"),
            u32("vgpuInstanceCount"),
            u64("lastSeenTimeStamp"),
            pointer("vgpuUtilArray"));

    public static final StructLayout nvmlVgpuProcessUtilizationInfo_v1_t = struct(
            "nvmlVgpuProcessUtilizationInfo_v1_t",
            chars(64, "processName"),
            u64("timeStamp"),
            u32("vgpuInstance"),
            u32("pid"),
            u32("smUtil"),
            u32("memUtil"),
            u32("encUtil"),
            u32("decUtil"),
            u32("jpgUtil"),
            u32("ofaUtil"));

    public static final StructLayout nvmlVgpuProcessesUtilizationInfo_v1_t = struct(
            "nvmlVgpuProcessesUtilizationInfo_v1_t",
            u32("version"),
            u32("vgpuProcessCount"),
            u64("lastSeenTimeStamp"),
            pointer("vgpuProcUtilArray"));

    public static final StructLayout nvmlVgpuSchedulerCapabilities_t = struct(
            "nvmlVgpuSchedulerCapabilities_t",
            array(3, JAVA_INT, "supportedSchedulers"),
            u32("maxTimeslice"),
            u32("minTimeslice"),
            u32("isArrModeSupported"),
            u32("maxFrequencyForARR"),
            u32("minFrequencyForARR"),
            u32("maxAvgFactorForARR"),
            u32("minAvgFactorForARR"));

    public static final StructLayout nvmlVgpuSchedulerGetState_t = struct(
            "nvmlVgpuSchedulerGetState_t",
            u32("schedulerPolicy"),
            u32("arrMode"),
            array(2, JAVA_INT, "schedulerParams"));

    public static final StructLayout nvmlVgpuSchedulerLogEntry_t = struct(
            "nvmlVgpuSchedulerLogEntry_t",
            u64("timestamp"),
            u64("timeRunTotal"),
            u64("timeRun"),
            u32("swRunlistId"),
            u64("targetTimeSlice"),
            u64("cumulativePreemptionTime"));

    public static final StructLayout nvmlVgpuSchedulerLog_t = struct(
            "nvmlVgpuSchedulerLog_t",
            u32("engineId"),
            u32("schedulerPolicy"),
            u32("arrMode"),
            array(2, JAVA_INT, "schedulerParams"),
            u32("entriesCount"),
            array(200, nvmlVgpuSchedulerLogEntry_t, "logEntries"));

    public static final StructLayout nvmlVgpuLicenseExpiry_t = struct(
            "nvmlVgpuLicenseExpiry_t",
            u32("year"),
            u16("month"),
            u16("day"),
            u16("hour"),
            u16("min"),
            u16("sec"),
            u8("status"));

    public static final StructLayout nvmlVgpuLicenseInfo_t = struct(
            "nvmlVgpuLicenseInfo_t",
            u8("isLicensed"),
            nvmlVgpuLicenseExpiry_t.withName("licenseExpiry"),
            u32("currentState"));

    private VgpuLayouts() {}
}
