// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.health;

import io.gpuagent.health.fold.GpuPoll;
import io.gpuagent.model.EccCounter;
import io.gpuagent.model.FabricMembership;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Mode;
import io.gpuagent.model.NvLinkState;
import io.gpuagent.model.PendingRepairs;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Readings;
import io.gpuagent.model.SlowdownTimes;
import io.gpuagent.model.SramErrors;
import io.gpuagent.model.UtilizationRates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Snapshots of GPUs as the health fold wants them. A reading is passed on once: the same counter told twice would look like
 * one that has stopped. Not safe for several threads.
 */
final class PolledGpus {
    /** When the slow readings that were passed on last were taken, by UUID. */
    private final Map<String, Long> passedOn = new HashMap<>();

    /** The poll; empty for a GPU that has not told its UUID yet. */
    Optional<GpuPoll> of(GpuSnapshot gpu) {
        String uuid = gpu.identity().uuid();
        if (uuid.isEmpty()) {
            return Optional.empty();
        }
        long taken = slowReadAt(gpu.readings());
        Long before = passedOn.put(uuid, taken);
        return Optional.of(
                before != null && before == taken
                        ? new GpuPoll(
                                uuid,
                                gpu.readings().value(ReadingKeys.PCI),
                                gpu.condition(),
                                OptionalInt.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                GpuPoll.Memory.UNREAD,
                                GpuPoll.Throttle.UNREAD,
                                GpuPoll.Pcie.UNREAD,
                                List.of(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())
                        : whole(uuid, gpu));
    }

    /** The newest of those that are read together. */
    private static long slowReadAt(Readings readings) {
        long newest = Long.MIN_VALUE;
        for (ReadingKey<?> key : List.of(
                ReadingKeys.RECOVERY_ACTION, ReadingKeys.MIG_MODE, ReadingKeys.PCIE_LINK, ReadingKeys.ECC_MODE)) {
            Reading<?> reading = readings.get(key);
            if (reading instanceof Reading.Present<?>) {
                newest = Math.max(newest, reading.atNanos());
            }
        }
        return newest;
    }

    private static GpuPoll whole(String uuid, GpuSnapshot gpu) {
        Readings readings = gpu.readings();
        Optional<SramErrors> sram = readings.value(ReadingKeys.SRAM_ERRORS);
        Optional<SlowdownTimes> slow = readings.value(ReadingKeys.SLOWDOWN_TIMES);
        return new GpuPoll(
                uuid,
                readings.value(ReadingKeys.PCI),
                gpu.condition(),
                readings.value(ReadingKeys.RECOVERY_ACTION).map(OptionalInt::of).orElse(OptionalInt.empty()),
                readings.value(ReadingKeys.ROW_REMAP),
                readings.value(ReadingKeys.SPARE_ROW_BANKS)
                        .map(banks -> new GpuPoll.SpareBanks((int) banks.low(), (int) banks.none())),
                new GpuPoll.Memory(
                        count(readings, EccCounter.Severity.CORRECTED),
                        count(readings, EccCounter.Severity.UNCORRECTED),
                        sram.map(SramErrors::thresholdExceeded),
                        // nvmlDeviceGetUnrepairableMemoryFlag is newer than nvml.h 13.0.
                        Optional.empty(),
                        readings.value(ReadingKeys.PENDING_REPAIRS).map(PendingRepairs::any)),
                slow.map(times -> new GpuPoll.Throttle(
                                later(times.thermalPolicy(), times.hardwareThermal()), times.powerBrake()))
                        .orElse(GpuPoll.Throttle.UNREAD),
                new GpuPoll.Pcie(
                        readings.value(ReadingKeys.PCIE_LINK),
                        readings.value(ReadingKeys.PCIE_LINK_MAX),
                        readings.value(ReadingKeys.UTILIZATION)
                                .map(UtilizationRates::gpu)
                                .map(OptionalDouble::of)
                                .orElse(OptionalDouble.empty()),
                        readings.value(ReadingKeys.PCIE_REPLAYS)
                                .map(OptionalLong::of)
                                .orElse(OptionalLong.empty())),
                readings.value(ReadingKeys.NVLINKS).orElse(List.of()).stream()
                        .map(PolledGpus::link)
                        .toList(),
                readings.value(ReadingKeys.FABRIC).map(PolledGpus::fabric),
                readings.value(ReadingKeys.MIG_MODE).map(PolledGpus::isPending),
                Optional.empty());
    }

    private static boolean isPending(Mode mode) {
        return mode.current() != mode.pending();
    }

    private static GpuPoll.Nvlink link(NvLinkState link) {
        return new GpuPoll.Nvlink(link.link(), link.active(), link.crcErrors(), link.recoveries());
    }

    private static GpuPoll.Fabric fabric(FabricMembership fabric) {
        return new GpuPoll.Fabric(fabric.state(), fabric.healthMask());
    }

    private static OptionalLong count(Readings readings, EccCounter.Severity severity) {
        return readings.value(ReadingKeys.ecc(new EccCounter(severity, EccCounter.Scope.DRIVER_LOAD)))
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** Both count the same heat, by different parts of the driver. */
    private static OptionalLong later(OptionalLong one, OptionalLong other) {
        if (one.isEmpty()) {
            return other;
        }
        return other.isEmpty() ? one : OptionalLong.of(Math.max(one.getAsLong(), other.getAsLong()));
    }
}
