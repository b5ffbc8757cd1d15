// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.HexFormat;

/**
 * Where a GPU is in its rack ({@code nvmlPlatformInfo_v2_t}, {@code _v1_t}).
 *
 * @param infinibandGuid the InfiniBand GUID, 32 hexadecimal digits in the order of its bytes; Blackwell uses the first 16
 * @param chassis serial number of the chassis; version 1 calls it the rack's GUID
 * @param slot slot in the chassis, switches counted
 * @param tray which of its compute trays, switches not counted
 * @param host which host within the slot
 * @param peerType what the GPU's NVLink leads to, as the platform numbers it
 * @param module which GPU of the host
 */
public record RackPlace(String infinibandGuid, String chassis, int slot, int tray, int host, int peerType, int module) {
    static RackPlace ofVersion2(Struct platform) {
        return new RackPlace(
                guid(platform),
                platform.text("chassisSerialNumber"),
                platform.u8("slotNumber"),
                platform.u8("trayIndex"),
                platform.u8("hostId"),
                platform.u8("peerType"),
                platform.u8("moduleId"));
    }

    static RackPlace ofVersion1(Struct platform) {
        return new RackPlace(
                guid(platform),
                platform.text("rackGuid"),
                platform.u8("chassisPhysicalSlotNumber"),
                platform.u8("computeSlotIndex"),
                platform.u8("nodeIndex"),
                platform.u8("peerType"),
                platform.u8("moduleId"));
    }

    private static String guid(Struct platform) {
        return HexFormat.of().formatHex(platform.part("ibGuid").toArray(JAVA_BYTE));
    }
}
