// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.model.EccCounter;
import io.gpuagent.model.Mode;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.RowRemap;
import java.util.List;
import java.util.Locale;

/** How well a GPU is, how it is linked, which modes it is in and who uses it. */
final class ConditionFamilies {
    private static final double MAX_PCIE_GENERATION = 15;
    private static final double MAX_PCIE_LANES = 64;
    private static final double MAX_RECOVERY_ACTION = 100;

    static final List<MetricFamily> ALL = List.of(
            ecc(
                    "gpu_ecc_errors_total",
                    "Memory errors since the driver was loaded; memory=all is the sum over all memories",
                    "nvmlDeviceGetTotalEccErrors, NVML_VOLATILE_ECC",
                    EccCounter.Scope.DRIVER_LOAD),
            ecc(
                    "gpu_ecc_lifetime_errors_total",
                    "Memory errors over the life of the board; memory=all is the sum over all memories",
                    "nvmlDeviceGetTotalEccErrors, NVML_AGGREGATE_ECC",
                    EccCounter.Scope.LIFETIME),
            mode(
                    "gpu_ecc_mode_enabled",
                    Group.ERRORS,
                    "Whether ECC is on, 0 or 1: now, and after the next reset",
                    "nvmlDeviceGetEccMode",
                    ReadingKeys.ECC_MODE),
            FamilyBuilder.perGpu(
                            "gpu_row_remaps",
                            GAUGE,
                            Group.ERRORS,
                            "Memory rows that spare ones have replaced, by the kind of error that caused it")
                    .label("cause", "correctable", "uncorrectable")
                    .source("nvmlDeviceGetRemappedRows")
                    .value(ReadingKeys.ROW_REMAP, RowRemap::correctable, "correctable")
                    .value(ReadingKeys.ROW_REMAP, RowRemap::uncorrectable, "uncorrectable")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_row_remap_pending",
                            GAUGE,
                            Group.ERRORS,
                            "Whether a row remap waits for a reset of the GPU, 0 or 1")
                    .source("nvmlDeviceGetRemappedRows")
                    .zeroToOne()
                    .value(ReadingKeys.ROW_REMAP, remap -> number(remap.pending()))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_row_remap_failed",
                            GAUGE,
                            Group.ERRORS,
                            "Whether a row remap has ever failed, 0 or 1; once 1, it stays so for the life of the board")
                    .source("nvmlDeviceGetRemappedRows")
                    .zeroToOne()
                    .value(ReadingKeys.ROW_REMAP, remap -> number(remap.failed()))
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_recovery_action",
                            GAUGE,
                            Group.ERRORS,
                            "What the driver says recovers the GPU: 0 nothing to do, 1 reset the GPU, 2 reboot the"
                                    + " node, 3 drain peer-to-peer work, 4 drain and reset")
                    .source("field NVML_FI_DEV_GET_GPU_RECOVERY_ACTION")
                    .between(0, MAX_RECOVERY_ACTION)
                    .value(ReadingKeys.RECOVERY_ACTION, Integer::doubleValue)
                    .build(),
            link(
                    "gpu_pcie_link_generation",
                    "Generation of the PCI Express link now; it falls when the GPU idles",
                    "nvmlDeviceGetCurrPcieLinkGeneration",
                    ReadingKeys.PCIE_LINK,
                    true),
            link(
                    "gpu_pcie_link_generation_max",
                    "Highest generation of the PCI Express link that GPU and slot can have",
                    "nvmlDeviceGetMaxPcieLinkGeneration",
                    ReadingKeys.PCIE_LINK_MAX,
                    true),
            link(
                    "gpu_pcie_link_width",
                    "Lanes of the PCI Express link now",
                    "nvmlDeviceGetCurrPcieLinkWidth",
                    ReadingKeys.PCIE_LINK,
                    false),
            link(
                    "gpu_pcie_link_width_max",
                    "Most lanes of the PCI Express link that GPU and slot can have",
                    "nvmlDeviceGetMaxPcieLinkWidth",
                    ReadingKeys.PCIE_LINK_MAX,
                    false),
            processes(),
            mode(
                    "gpu_mig_enabled",
                    Group.USE,
                    "Whether MIG is on, 0 or 1: now, and after the next reset; absent where the GPU has no MIG",
                    "nvmlDeviceGetMigMode",
                    ReadingKeys.MIG_MODE),
            FamilyBuilder.perGpu(
                            "gpu_persistence_mode_enabled",
                            GAUGE,
                            Group.USE,
                            "Whether the driver keeps the GPU initialised while nothing uses it, 0 or 1")
                    .source("nvmlDeviceGetPersistenceMode")
                    .zeroToOne()
                    .value(ReadingKeys.PERSISTENCE_MODE, ConditionFamilies::number)
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_compute_mode",
                            GAUGE,
                            Group.USE,
                            "1 for the compute mode the GPU is in, which says who may open contexts on it")
                    .label("mode")
                    .source("nvmlDeviceGetComputeMode")
                    .zeroToOne()
                    .values(ReadingKeys.COMPUTE_MODE, (mode, samples) -> samples.add(1, labelValue(mode)))
                    .build());

    private ConditionFamilies() {}

    private static MetricFamily ecc(String name, String help, String call, EccCounter.Scope scope) {
        FamilyBuilder family = FamilyBuilder.perGpu(name, COUNTER, Group.ERRORS, help)
                .label("severity", EccCounter.Severity.values(), EccCounter.Severity::label)
                .label("memory", "all")
                .source(call);
        for (EccCounter.Severity severity : EccCounter.Severity.values()) {
            family.value(ReadingKeys.ecc(new EccCounter(severity, scope)), Long::doubleValue, severity.label(), "all");
        }
        return family.build();
    }

    private static MetricFamily mode(String name, Group group, String help, String call, ReadingKey<Mode> key) {
        return FamilyBuilder.perGpu(name, GAUGE, group, help)
                .label("when", "current", "pending")
                .source(call)
                .zeroToOne()
                .value(key, mode -> number(mode.current()), "current")
                .value(key, mode -> number(mode.pending()), "pending")
                .build();
    }

    private static MetricFamily link(
            String name, String help, String call, ReadingKey<PcieLink> key, boolean generation) {
        return FamilyBuilder.perGpu(name, GAUGE, Group.PCIE, help)
                .source(call)
                .between(1, generation ? MAX_PCIE_GENERATION : MAX_PCIE_LANES)
                .value(key, generation ? PcieLink::generation : PcieLink::width)
                .build();
    }

    private static MetricFamily processes() {
        FamilyBuilder family = FamilyBuilder.perGpu(
                        "gpu_processes",
                        GAUGE,
                        Group.USE,
                        "Processes on the GPU: with a compute context of their own, with a graphics context, or as"
                                + " clients of an MPS server; 0 when the list is empty, absent when it could not be read")
                .label("type", ProcessType.values(), ProcessType::label)
                .source("nvmlDeviceGetComputeRunningProcesses_v3, nvmlDeviceGetGraphicsRunningProcesses_v3,"
                        + " nvmlDeviceGetMPSComputeRunningProcesses_v3");
        for (ProcessType type : ProcessType.values()) {
            family.value(ReadingKeys.processes(type), List::size, type.label());
        }
        return family.build();
    }

    private static double number(boolean truth) {
        return truth ? 1 : 0;
    }

    private static String labelValue(String words) {
        return words.toLowerCase(Locale.ROOT).replace(' ', '_');
    }
}
