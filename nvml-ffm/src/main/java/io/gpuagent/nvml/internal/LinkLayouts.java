// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u8;

import java.lang.foreign.StructLayout;

/** Structs of NVLink, the fabric and C2C. */
public final class LinkLayouts {
    /** NVML_NVLINK_FIRMWARE_VERSION_LENGTH. */
    private static final int FIRMWARES = 100;
    /** NVML_NVLINK_TOTAL_SUPPORTED_BW_MODES. */
    private static final int BANDWIDTH_MODES = 23;
    /** NVML_GPU_FABRIC_UUID_LEN. */
    private static final int UUID_BYTES = 16;

    public static final StructLayout nvmlNvlinkFirmwareVersion_t =
            struct("nvmlNvlinkFirmwareVersion_t", u8("ucodeType"), u32("major"), u32("minor"), u32("subMinor"));

    public static final StructLayout nvmlNvlinkFirmwareInfo_t = struct(
            "nvmlNvlinkFirmwareInfo_t",
            array(FIRMWARES, nvmlNvlinkFirmwareVersion_t, "firmwareVersion"),
            u32("numValidEntries"));

    public static final StructLayout nvmlNvLinkInfo_v2_t = struct(
            "nvmlNvLinkInfo_v2_t",
            u32("version"),
            u32("isNvleEnabled"),
            nvmlNvlinkFirmwareInfo_t.withName("firmwareInfo"));

    public static final StructLayout nvmlNvLinkInfo_v1_t =
            struct("nvmlNvLinkInfo_v1_t", u32("version"), u32("isNvleEnabled"));

    public static final StructLayout nvmlNvlinkSupportedBwModes_v1_t = struct(
            "nvmlNvlinkSupportedBwModes_v1_t", u32("version"), chars(BANDWIDTH_MODES, "bwModes"), u8("totalBwModes"));

    public static final StructLayout nvmlNvlinkGetBwMode_v1_t =
            struct("nvmlNvlinkGetBwMode_v1_t", u32("version"), u32("bIsBest"), u8("bwMode"));

    public static final StructLayout nvmlNvlinkSetBwMode_v1_t =
            struct("nvmlNvlinkSetBwMode_v1_t", u32("version"), u32("bSetBest"), u8("bwMode"));

    public static final StructLayout nvmlGpuFabricInfo_v3_t = struct(
            "nvmlGpuFabricInfo_v3_t",
            u32("version"),
            chars(UUID_BYTES, "clusterUuid"),
            u32("status"),
            u32("cliqueId"),
            u8("state"),
            u32("healthMask"),
            u8("healthSummary"));

    public static final StructLayout nvmlGpuFabricInfo_v2_t = struct(
            "nvmlGpuFabricInfo_v2_t",
            u32("version"),
            chars(UUID_BYTES, "clusterUuid"),
            u32("status"),
            u32("cliqueId"),
            u8("state"),
            u32("healthMask"));

    /** Version 1, which has no version word. */
    public static final StructLayout nvmlGpuFabricInfo_t = struct(
            "nvmlGpuFabricInfo_t", chars(UUID_BYTES, "clusterUuid"), u32("status"), u32("cliqueId"), u8("state"));

    public static final StructLayout nvmlC2cModeInfo_v1_t = struct("nvmlC2cModeInfo_v1_t", u32("isC2cEnabled"));

    private LinkLayouts() {}
}
