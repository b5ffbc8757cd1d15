// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.pointer;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;

import java.lang.foreign.StructLayout;

/** Structs of MIG: profiles, placements and instances. */
public final class MigLayouts {
    public static final StructLayout nvmlDeviceAttributes_t = struct(
            "nvmlDeviceAttributes_t",
            u32("multiprocessorCount"),
            u32("sharedCopyEngineCount"),
            u32("sharedDecoderCount"),
            u32("sharedEncoderCount"),
            u32("sharedJpegCount"),
            u32("sharedOfaCount"),
            u32("gpuInstanceSliceCount"),
            u32("computeInstanceSliceCount"),
            u64("memorySizeMB"));

    public static final StructLayout nvmlGpuInstancePlacement_t =
            struct("nvmlGpuInstancePlacement_t", u32("start"), u32("size"));

    public static final StructLayout nvmlGpuInstanceProfileInfo_v3_t = struct(
            "nvmlGpuInstanceProfileInfo_v3_t",
            u32("version"),
            u32("id"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("copyEngineCount"),
            u32("decoderCount"),
            u32("encoderCount"),
            u32("jpegCount"),
            u32("ofaCount"),
            u64("memorySizeMB"),
            chars(96, "name"),
            u32("capabilities"));

    public static final StructLayout nvmlGpuInstanceProfileInfo_v2_t = struct(
            "nvmlGpuInstanceProfileInfo_v2_t",
            u32("version"),
            u32("id"),
            u32("isP2pSupported"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("copyEngineCount"),
            u32("decoderCount"),
            u32("encoderCount"),
            u32("jpegCount"),
            u32("ofaCount"),
            u64("memorySizeMB"),
            chars(96, "name"));

    public static final StructLayout nvmlGpuInstanceProfileInfo_t = struct(
            "nvmlGpuInstanceProfileInfo_t",
            u32("id"),
            u32("isP2pSupported"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("copyEngineCount"),
            u32("decoderCount"),
            u32("encoderCount"),
            u32("jpegCount"),
            u32("ofaCount"),
            u64("memorySizeMB"));

    public static final StructLayout nvmlGpuInstanceInfo_t = struct(
            "nvmlGpuInstanceInfo_t",
            pointer("device"),
            u32("id"),
            u32("profileId"),
            nvmlGpuInstancePlacement_t.withName("placement"));

    public static final StructLayout nvmlComputeInstancePlacement_t =
            struct("nvmlComputeInstancePlacement_t", u32("start"), u32("size"));

    public static final StructLayout nvmlComputeInstanceProfileInfo_v3_t = struct(
            "nvmlComputeInstanceProfileInfo_v3_t",
            u32("version"),
            u32("id"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("sharedCopyEngineCount"),
            u32("sharedDecoderCount"),
            u32("sharedEncoderCount"),
            u32("sharedJpegCount"),
            u32("sharedOfaCount"),
            chars(96, "name"),
            u32("capabilities"));

    public static final StructLayout nvmlComputeInstanceProfileInfo_v2_t = struct(
            "nvmlComputeInstanceProfileInfo_v2_t",
            u32("version"),
            u32("id"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("sharedCopyEngineCount"),
            u32("sharedDecoderCount"),
            u32("sharedEncoderCount"),
            u32("sharedJpegCount"),
            u32("sharedOfaCount"),
            chars(96, "name"));

    public static final StructLayout nvmlComputeInstanceProfileInfo_t = struct(
            "nvmlComputeInstanceProfileInfo_t",
            u32("id"),
            u32("sliceCount"),
            u32("instanceCount"),
            u32("multiprocessorCount"),
            u32("sharedCopyEngineCount"),
            u32("sharedDecoderCount"),
            u32("sharedEncoderCount"),
            u32("sharedJpegCount"),
            u32("sharedOfaCount"));

    public static final StructLayout nvmlComputeInstanceInfo_t = struct(
            "nvmlComputeInstanceInfo_t",
            pointer("device"),
            pointer("gpuInstance"),
            u32("id"),
            u32("profileId"),
            nvmlComputeInstancePlacement_t.withName("placement"));

    private MigLayouts() {}
}
