// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of memory errors and repairs. */
public final class ReliabilityLayouts {
    public static final StructLayout nvmlEccSramErrorStatus_v1_t = struct(
            "nvmlEccSramErrorStatus_v1_t",
            u32("version"),
            u64("aggregateUncParity"),
            u64("aggregateUncSecDed"),
            u64("aggregateCor"),
            u64("volatileUncParity"),
            u64("volatileUncSecDed"),
            u64("volatileCor"),
            u64("aggregateUncBucketL2"),
            u64("aggregateUncBucketSm"),
            u64("aggregateUncBucketPcie"),
            u64("aggregateUncBucketMcu"),
            u64("aggregateUncBucketOther"),
            u32("bThresholdExceeded"));

    public static final StructLayout nvmlEccSramUniqueUncorrectedErrorEntry_v1_t = struct(
            "nvmlEccSramUniqueUncorrectedErrorEntry_v1_t",
            u32("unit"),
            u32("location"),
            u32("sublocation"),
            u32("extlocation"),
            u32("address"),
            u32("isParity"),
            u32("count"));

    public static final StructLayout nvmlEccSramUniqueUncorrectedErrorCounts_v1_t = struct(
            "nvmlEccSramUniqueUncorrectedErrorCounts_v1_t", u32("version"), u32("entryCount"), pointer("entries"));

    public static final StructLayout nvmlRowRemapperHistogramValues_t = struct(
            "nvmlRowRemapperHistogramValues_t", u32("max"), u32("high"), u32("partial"), u32("low"), u32("none"));

    public static final StructLayout nvmlRepairStatus_v1_t =
            struct("nvmlRepairStatus_v1_t", u32("version"), u32("bChannelRepairPending"), u32("bTpcRepairPending"));

    private ReliabilityLayouts() {}
}
