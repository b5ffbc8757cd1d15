// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.RowRemap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a GPU said when it was read. What is empty was not read, or is not supported: then nothing follows from it, and what
 * was known before stays as it is.
 *
 * @param uuid the GPU
 * @param pci where it sits
 * @param condition whether it answers
 * @param recoveryAction field 230, an open list: 0 none, 1 reset, 2 reboot, 3 drain P2P, 4 drain and reset; R595 adds 5
 * @param rowRemap nvmlDeviceGetRemappedRows; not supported while there are MIG instances
 * @param banks nvmlDeviceGetRowRemapperHistogram: banks by how many spare rows they have left
 * @param memory what is known of its memory
 * @param throttle how long it was slowed down
 * @param pcie its PCIe link
 * @param nvlinks its NVLinks
 * @param fabric nvmlDeviceGetGpuFabricInfoV
 * @param isMigModePending whether the MIG mode that was asked for waits for a reset
 * @param instances ids of its MIG GPU instances, each with something that tells it from one made later with the same id
 */
public record GpuPoll(
        String uuid,
        Optional<PciAddress> pci,
        GpuCondition condition,
        OptionalInt recoveryAction,
        Optional<RowRemap> rowRemap,
        Optional<SpareBanks> banks,
        Memory memory,
        Throttle throttle,
        Pcie pcie,
        List<Nvlink> nvlinks,
        Optional<Fabric> fabric,
        Optional<Boolean> isMigModePending,
        Optional<Map<Integer, String>> instances) {
    /** Takes copies of the collections. */
    public GpuPoll {
        nvlinks = List.copyOf(nvlinks);
        instances = instances.map(Map::copyOf);
    }

    /**
     * Banks of memory by how many spare rows they have left.
     *
     * @param low banks with few
     * @param none banks with none
     */
    public record SpareBanks(int low, int none) {}

    /**
     * Memory errors.
     *
     * @param corrected since the driver was loaded; field 3
     * @param uncorrected since the driver was loaded; field 4
     * @param isSramThresholdExceeded nvmlDeviceGetSramEccErrorStatus
     * @param isUnrepairable nvmlDeviceGetUnrepairableMemoryFlag_v1
     * @param isRepairPending nvmlDeviceGetRepairStatus, of channels or texture processing clusters
     */
    public record Memory(
            OptionalLong corrected,
            OptionalLong uncorrected,
            Optional<Boolean> isSramThresholdExceeded,
            Optional<Boolean> isUnrepairable,
            Optional<Boolean> isRepairPending) {
        /** Nothing was read. */
        public static final Memory UNREAD = new Memory(
                OptionalLong.empty(), OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Times for which clocks were held down, nanoseconds since the driver was loaded.
     *
     * @param thermal by heat, in hardware or software; fields 75 and 270
     * @param powerBrake by the power supply's brake signal; field 271
     */
    public record Throttle(OptionalLong thermal, OptionalLong powerBrake) {
        /** Nothing was read. */
        public static final Throttle UNREAD = new Throttle(OptionalLong.empty(), OptionalLong.empty());
    }

    /**
     * The PCIe link.
     *
     * @param now generation and lanes as they are; a link narrows when it is idle
     * @param max what GPU and slot can
     * @param busy how busy the GPU is, 0..1
     * @param replays since the driver was loaded; field 94
     */
    public record Pcie(Optional<PcieLink> now, Optional<PcieLink> max, OptionalDouble busy, OptionalLong replays) {
        /** Nothing was read. */
        public static final Pcie UNREAD =
                new Pcie(Optional.empty(), Optional.empty(), OptionalDouble.empty(), OptionalLong.empty());
    }

    /**
     * One NVLink.
     *
     * @param link its number
     * @param isUp whether it is active
     * @param crcErrors since the driver was loaded
     * @param failedRecoveries since the driver was loaded
     */
    public record Nvlink(int link, boolean isUp, OptionalLong crcErrors, OptionalLong failedRecoveries) {}

    /**
     * The GPU's place in an NVSwitch fabric.
     *
     * @param state {@code NVML_GPU_FABRIC_STATE_…}: 0 not supported, 1 not started, 2 in progress, 3 completed
     * @param healthMask {@code NVML_GPU_FABRIC_HEALTH_MASK_…}: two bits each, 0 not supported, 1 true, 2 false
     */
    public record Fabric(int state, long healthMask) {}

    /**
     * A poll of a GPU that says nothing but whether it answers.
     *
     * @param uuid the GPU
     * @param condition whether it answers
     * @return the poll
     */
    public static GpuPoll of(String uuid, GpuCondition condition) {
        return new GpuPoll(
                uuid,
                Optional.empty(),
                condition,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Memory.UNREAD,
                Throttle.UNREAD,
                Pcie.UNREAD,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
