// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import static io.gpuagent.nvml.internal.Layouts.array;
import static io.gpuagent.nvml.internal.Layouts.chars;
import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static io.gpuagent.nvml.internal.Layouts.struct;
import static io.gpuagent.nvml.internal.Layouts.u16;
import static io.gpuagent.nvml.internal.Layouts.u32;
import static io.gpuagent.nvml.internal.Layouts.u64;
import static io.gpuagent.nvml.internal.Layouts.u8;

import java.lang.foreign.StructLayout;

/** Structs that say what a device is, where it sits and what it may do. */
public final class DeviceLayouts {
    public static final StructLayout nvmlPciInfoExt_v1_t = struct(
            "nvmlPciInfoExt_v1_t",
            u32("version"),
            u32("domain"),
            u32("bus"),
            u32("device"),
            u32("pciDeviceId"),
            u32("pciSubSystemId"),
            u32("baseClass"),
            u32("subClass"),
            chars(32, "busId"));

    public static final StructLayout nvmlExcludedDeviceInfo_t =
            struct("nvmlExcludedDeviceInfo_t", nvmlPciInfo_t.withName("pciInfo"), chars(80, "uuid"));

    /** Its last member is the union nvmlUUIDValue_t: text or 16 bytes, by type. */
    public static final StructLayout nvmlUUID_v1_t =
            struct("nvmlUUID_v1_t", u32("version"), u32("type"), chars(41, "value"));

    public static final StructLayout nvmlPdi_v1_t = struct("nvmlPdi_v1_t", u32("version"), u64("value"));

    public static final StructLayout nvmlDeviceCapabilities_v1_t =
            struct("nvmlDeviceCapabilities_v1_t", u32("version"), u32("capMask"));

    public static final StructLayout nvmlDeviceAddressingMode_v1_t =
            struct("nvmlDeviceAddressingMode_v1_t", u32("version"), u32("value"));

    public static final StructLayout nvmlHostname_v1_t = struct("nvmlHostname_v1_t", chars(64, "value"));

    public static final StructLayout nvmlSystemDriverBranchInfo_v1_t =
            struct("nvmlSystemDriverBranchInfo_v1_t", u32("version"), chars(80, "branch"));

    public static final StructLayout nvmlBridgeChipInfo_t =
            struct("nvmlBridgeChipInfo_t", u32("type"), u32("fwVersion"));

    public static final StructLayout nvmlBridgeChipHierarchy_t =
            struct("nvmlBridgeChipHierarchy_t", u8("bridgeCount"), array(128, nvmlBridgeChipInfo_t, "bridgeChipInfo"));

    public static final StructLayout nvmlPlatformInfo_v2_t = struct(
            "nvmlPlatformInfo_v2_t",
            u32("version"),
            chars(16, "ibGuid"),
            chars(16, "chassisSerialNumber"),
            u8("slotNumber"),
            u8("trayIndex"),
            u8("hostId"),
            u8("peerType"),
            u8("moduleId"));

    public static final StructLayout nvmlPlatformInfo_v1_t = struct(
            "nvmlPlatformInfo_v1_t",
            u32("version"),
            chars(16, "ibGuid"),
            chars(16, "rackGuid"),
            u8("chassisPhysicalSlotNumber"),
            u8("computeSlotIndex"),
            u8("nodeIndex"),
            u8("peerType"),
            u8("moduleId"));

    public static final StructLayout nvmlGridLicenseExpiry_t = struct(
            "nvmlGridLicenseExpiry_t",
            u32("year"),
            u16("month"),
            u16("day"),
            u16("hour"),
            u16("min"),
            u16("sec"),
            u8("status"));

    public static final StructLayout nvmlGridLicensableFeature_t = struct(
            "nvmlGridLicensableFeature_t",
            u32("featureCode"),
            u32("featureState"),
            chars(128, "licenseInfo"),
            chars(128, "productName"),
            u32("featureEnabled"),
            nvmlGridLicenseExpiry_t.withName("licenseExpiry"));

    public static final StructLayout nvmlGridLicensableFeatures_t = struct(
            "nvmlGridLicensableFeatures_t",
            u32("isGridLicenseSupported"),
            u32("licensableFeaturesCount"),
            array(3, nvmlGridLicensableFeature_t, "gridLicensableFeatures"));

    private DeviceLayouts() {}
}
