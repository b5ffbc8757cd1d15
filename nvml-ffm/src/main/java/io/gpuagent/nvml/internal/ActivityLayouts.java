// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of what runs on a GPU and how busy it keeps it. */
public final class ActivityLayouts {
    public static final StructLayout nvmlBAR1Memory_t =
            struct("nvmlBAR1Memory_t", u64("bar1Total"), u64("bar1Free"), u64("bar1Used"));

    /** Its last member is the union nvmlValue_t: eight bytes, read by the type that the call answers. */
    public static final StructLayout nvmlSample_t = struct("nvmlSample_t", u64("timeStamp"), u64("sampleValue"));

    public static final StructLayout nvmlProcessUtilizationSample_t = struct(
            "nvmlProcessUtilizationSample_t",
            u32("pid"),
            u64("timeStamp"),
            u32("smUtil"),
            u32("memUtil"),
            u32("encUtil"),
            u32("decUtil"));

    public static final StructLayout nvmlProcessUtilizationInfo_v1_t = struct(
            "nvmlProcessUtilizationInfo_v1_t",
            u64("timeStamp"),
            u32("pid"),
            u32("smUtil"),
            u32("memUtil"),
            u32("encUtil"),
            u32("decUtil"),
            u32("jpgUtil"),
            u32("ofaUtil"));

    public static final StructLayout nvmlProcessesUtilizationInfo_v1_t = struct(
            "nvmlProcessesUtilizationInfo_v1_t",
            u32("version"),
            u32("processSamplesCount"),
            u64("lastSeenTimeStamp"),
            pointer("procUtilArray"));

    public static final StructLayout nvmlProcessDetail_v1_t = struct(
            "nvmlProcessDetail_v1_t",
            u32("pid"),
            u64("usedGpuMemory"),
            u32("gpuInstanceId"),
            u32("computeInstanceId"),
            u64("usedGpuCcProtectedMemory"));

    public static final StructLayout nvmlProcessDetailList_v1_t = struct(
            "nvmlProcessDetailList_v1_t",
            u32("version"),
            u32("mode"),
            u32("numProcArrayEntries"),
            pointer("procArray"));

    public static final StructLayout nvmlAccountingStats_t = struct(
            "nvmlAccountingStats_t",
            u32("gpuUtilization"),
            u32("memoryUtilization"),
            u64("maxMemoryUsage"),
            u64("time"),
            u64("startTime"),
            u32("isRunning"),
            array(5, u32("reserved"), "reserved"));

    public static final StructLayout nvmlEncoderSessionInfo_t = struct(
            "nvmlEncoderSessionInfo_t",
            u32("sessionId"),
            u32("pid"),
            u32("vgpuInstance"),
            u32("codecType"),
            u32("hResolution"),
            u32("vResolution"),
            u32("averageFps"),
            u32("averageLatency"));

    public static final StructLayout nvmlFBCStats_t =
            struct("nvmlFBCStats_t", u32("sessionsCount"), u32("averageFPS"), u32("averageLatency"));

    public static final StructLayout nvmlFBCSessionInfo_t = struct(
            "nvmlFBCSessionInfo_t",
            u32("sessionId"),
            u32("pid"),
            u32("vgpuInstance"),
            u32("displayOrdinal"),
            u32("sessionType"),
            u32("sessionFlags"),
            u32("hMaxResolution"),
            u32("vMaxResolution"),
            u32("hResolution"),
            u32("vResolution"),
            u32("averageFPS"),
            u32("averageLatency"));

    private ActivityLayouts() {}
}
