// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a GPU is in its rack ({@code nvmlPlatformInfo_v2_t}, {@code _v1_t}). A GPU whose platform does not tell has zeros
 * there: without a chassis, slot, tray, host and peer type are absent.
 *
 * @param infinibandGuid the InfiniBand GUID, 32 hexadecimal digits in the order of its bytes; Blackwell uses the first 16
 * @param chassis serial number of the chassis; version 1 calls it the rack's GUID
 * @param slot slot in the chassis, switches counted
 * @param tray which of its compute trays, switches not counted
 * @param host which host within the slot
 * @param peerType what the GPU's NVLink leads to, as the platform numbers it
 * @param module which GPU of the host
 */
public record RackPlace(
        Optional<String> infinibandGuid,
        Optional<String> chassis,
        OptionalInt slot,
        OptionalInt tray,
        OptionalInt host,
        OptionalInt peerType,
        int module) {
    static RackPlace ofVersion2(Struct platform) {
        return of(platform, "chassisSerialNumber", "slotNumber", "trayIndex", "hostId");
    }

    static RackPlace ofVersion1(Struct platform) {
        return of(platform, "rackGuid", "chassisPhysicalSlotNumber", "computeSlotIndex", "nodeIndex");
    }

    private static RackPlace of(Struct platform, String chassis, String slot, String tray, String host) {
        boolean isInRack = !platform.text(chassis).isEmpty();
        return new RackPlace(
                guid(platform.part("ibGuid").toArray(JAVA_BYTE)),
                Optional.of(platform.text(chassis)).filter(serial -> isInRack),
                number(isInRack, platform.u8(slot)),
                number(isInRack, platform.u8(tray)),
                number(isInRack, platform.u8(host)),
                number(isInRack, platform.u8("peerType")),
                platform.u8("moduleId"));
    }

    private static OptionalInt number(boolean isKnown, int value) {
        return isKnown ? OptionalInt.of(value) : OptionalInt.empty();
    }

    private static Optional<String> guid(byte[] bytes) {
        String digits = HexFormat.of().formatHex(bytes);
        return Optional.of(digits).filter(guid -> guid.chars().anyMatch(digit -> digit != '0'));
    }
}
