// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.FabricMembership;
import io.gpuagent.model.NvLinkState;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SlowdownTimes;
import io.gpuagent.model.SpareRowBanks;
import io.gpuagent.model.SramErrors;
import java.util.List;
import java.util.OptionalLong;

/** What wears out, is held down or is badly linked: most of it is what the verdicts are made of. */
final class ReliabilityFamilies {
    private static final double NANOS_PER_SECOND = 1e9;

    static final List<MetricFamily> ALL = List.of(
            FamilyBuilder.perGpu(
                            "gpu_row_remap_banks",
                            GAUGE,
                            Group.ERRORS,
                            "Memory banks, by how many spare rows they have left")
                    .label("availability", "max", "high", "partial", "low", "none")
                    .source("nvmlDeviceGetRowRemapperHistogram")
                    .value(ReadingKeys.SPARE_ROW_BANKS, SpareRowBanks::max, "max")
                    .value(ReadingKeys.SPARE_ROW_BANKS, SpareRowBanks::high, "high")
                    .value(ReadingKeys.SPARE_ROW_BANKS, SpareRowBanks::partial, "partial")
                    .value(ReadingKeys.SPARE_ROW_BANKS, SpareRowBanks::low, "low")
                    .value(ReadingKeys.SPARE_ROW_BANKS, SpareRowBanks::none, "none")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_sram_errors_total",
                            COUNTER,
                            Group.ERRORS,
                            "Errors in SRAM since the driver was loaded, by how they were found")
                    .label("kind", "corrected", "parity", "sec_ded")
                    .source("nvmlDeviceGetSramEccErrorStatus")
                    .value(ReadingKeys.SRAM_ERRORS, SramErrors::corrected, "corrected")
                    .value(ReadingKeys.SRAM_ERRORS, SramErrors::parity, "parity")
                    .value(ReadingKeys.SRAM_ERRORS, SramErrors::secDed, "sec_ded")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_sram_threshold_exceeded",
                            GAUGE,
                            Group.ERRORS,
                            "Whether there were more errors in SRAM than a sound GPU has, 0 or 1")
                    .source("nvmlDeviceGetSramEccErrorStatus")
                    .zeroToOne()
                    .value(ReadingKeys.SRAM_ERRORS, errors -> number(errors.thresholdExceeded()))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_repair_pending",
                            GAUGE,
                            Group.ERRORS,
                            "Whether a repair waits for a reset of the GPU, 0 or 1: of a memory channel, or of a texture"
                                    + " processing cluster")
                    .label("part", "channel", "tpc")
                    .source("nvmlDeviceGetRepairStatus")
                    .zeroToOne()
                    .value(ReadingKeys.PENDING_REPAIRS, repairs -> number(repairs.channel()), "channel")
                    .value(ReadingKeys.PENDING_REPAIRS, repairs -> number(repairs.tpc()), "tpc")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_clock_limited_seconds_total",
                            COUNTER,
                            Group.CLOCKS,
                            "How long clocks were held down since the driver was loaded, in seconds")
                    .label("reason", "thermal_policy", "hw_thermal_slowdown", "hw_power_brake")
                    .source("fields 75, 270 and 271")
                    .values(ReadingKeys.SLOWDOWN_TIMES, ReliabilityFamilies::slowdown)
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_pcie_replays_total",
                            COUNTER,
                            Group.PCIE,
                            "Packets that had to be sent again over PCIe since the driver was loaded")
                    .source("nvmlDeviceGetPcieReplayCounter")
                    .value(ReadingKeys.PCIE_REPLAYS, Long::doubleValue)
                    .build(),
            FamilyBuilder.perGpu("gpu_nvlink_up", GAUGE, Group.PCIE, "Whether an NVLink is active, 0 or 1")
                    .label("link")
                    .source("nvmlDeviceGetNvLinkState")
                    .zeroToOne()
                    .values(
                            ReadingKeys.NVLINKS,
                            (links, samples) -> links.forEach(
                                    link -> samples.add(number(link.active()), Integer.toString(link.link()))))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_nvlink_errors_total",
                            COUNTER,
                            Group.PCIE,
                            "Errors of an NVLink since the driver was loaded: CRC errors of flow control digits, and"
                                    + " recoveries")
                    .label("link")
                    .label("kind", "crc_flit", "recovery")
                    .source("nvmlDeviceGetNvLinkErrorCounter")
                    .values(ReadingKeys.NVLINKS, (links, samples) -> links.forEach(link -> errors(link, samples)))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_fabric_state",
                            GAUGE,
                            Group.PCIE,
                            "How far the GPU is with joining an NVSwitch fabric: 0 not supported, 1 not started, 2 in"
                                    + " progress, 3 completed")
                    .source("nvmlDeviceGetGpuFabricInfoV")
                    .value(ReadingKeys.FABRIC, FabricMembership::state)
                    .build());

    private ReliabilityFamilies() {}

    private static double number(boolean is) {
        return is ? 1 : 0;
    }

    private static void slowdown(SlowdownTimes times, Samples samples) {
        seconds(times.thermalPolicy(), "thermal_policy", samples);
        seconds(times.hardwareThermal(), "hw_thermal_slowdown", samples);
        seconds(times.powerBrake(), "hw_power_brake", samples);
    }

    private static void seconds(OptionalLong nanos, String reason, Samples samples) {
        if (nanos.isPresent()) {
            samples.add(nanos.getAsLong() / NANOS_PER_SECOND, reason);
        }
    }

    private static void errors(NvLinkState link, Samples samples) {
        String number = Integer.toString(link.link());
        if (link.crcErrors().isPresent()) {
            samples.add((double) link.crcErrors().getAsLong(), number, "crc_flit");
        }
        if (link.recoveries().isPresent()) {
            samples.add((double) link.recoveries().getAsLong(), number, "recovery");
        }
    }
}
