// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.f64;
import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;

import java.lang.foreign.StructLayout;

/** Structs of GPM. Their version word is the plain number 1, not what NVML_STRUCT_VERSION makes. */
public final class GpmLayouts {
    /** NVML_GPM_METRICS_GET_VERSION and NVML_GPM_SUPPORT_VERSION. */
    public static final int VERSION = 1;
    /** NVML_GPM_METRIC_MAX. */
    private static final int METRICS = 210;

    public static final StructLayout nvmlGpmMetric_t = struct(
            "nvmlGpmMetric_t",
            u32("metricId"),
            u32("nvmlReturn"),
            f64("value"),
            struct("metricInfo", pointer("shortName"), pointer("longName"), pointer("unit")));

    public static final StructLayout nvmlGpmMetricsGet_t = struct(
            "nvmlGpmMetricsGet_t",
            u32("version"),
            u32("numMetrics"),
            pointer("sample1"),
            pointer("sample2"),
            array(METRICS, nvmlGpmMetric_t, "metrics"));

    public static final StructLayout nvmlGpmSupport_t =
            struct("nvmlGpmSupport_t", u32("version"), u32("isSupportedDevice"));

    private GpmLayouts() {}
}
