// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.DcgmField.Form.INTEGER;
import static io.gpuagent.exporters.DcgmField.Form.REAL;
import static io.gpuagent.exporters.DcgmField.Type.COUNTER;
import static io.gpuagent.exporters.DcgmField.Type.GAUGE;
import static io.gpuagent.exporters.DcgmSource.Unit.MEBIBYTES;
import static io.gpuagent.exporters.DcgmSource.Unit.MEGAHERTZ;
import static io.gpuagent.exporters.DcgmSource.Unit.MILLIJOULES;
import static io.gpuagent.exporters.DcgmSource.Unit.PERCENT;
import static io.gpuagent.exporters.DcgmSource.Unit.SAME;

import io.gpuagent.exporters.DcgmSource.OfFamily;
import io.gpuagent.exporters.DcgmSource.OfReadings;
import io.gpuagent.exporters.DcgmSource.Unit;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.ReadingKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The DCGM fields that a page can have. Names, types and units are those of DCGM's dcgm_fields.h; help texts and the usual
 * choice those of dcgm-exporter's counters files up to 4.8, with what published dashboards and alerts ask for besides.
 */
public final class DcgmCatalogue {
    private static final List<Map<String, String>> ANY = List.of(Map.of());

    /** The fields, in the order of a page. */
    public static final List<DcgmField> ALL = new Fields()
            .usual("SM_CLOCK", GAUGE, INTEGER, "SM clock frequency (in MHz).")
            .from("gpu_clock_hertz", "domain", "sm", MEGAHERTZ)
            .usual("MEM_CLOCK", GAUGE, INTEGER, "Memory clock frequency (in MHz).")
            .from("gpu_clock_hertz", "domain", "memory", MEGAHERTZ)
            .more("VIDEO_CLOCK", GAUGE, INTEGER, "Video encoder/decoder clock frequency (in MHz).")
            .from("gpu_clock_hertz", "domain", "video", MEGAHERTZ)
            .more("MAX_SM_CLOCK", GAUGE, INTEGER, "Maximum supported SM clock frequency (in MHz).")
            .from("gpu_clock_max_hertz", "domain", "sm", MEGAHERTZ)
            .more("MAX_MEM_CLOCK", GAUGE, INTEGER, "Maximum supported memory clock frequency (in MHz).")
            .from("gpu_clock_max_hertz", "domain", "memory", MEGAHERTZ)
            .more("MAX_VIDEO_CLOCK", GAUGE, INTEGER, "Maximum supported video clock frequency (in MHz).")
            .from("gpu_clock_max_hertz", "domain", "video", MEGAHERTZ)
            .usual("CLOCKS_EVENT_REASONS", GAUGE, INTEGER, "Current clock event reasons (bitmask).")
            .from(DcgmCatalogue::clockReasons, "bits of the reasons that are 1 in `gpu_clock_limited`")
            .more("CLOCK_THROTTLE_REASONS", GAUGE, INTEGER, "Current clock event reasons (bitmask).")
            .from(DcgmCatalogue::clockReasons, "the same, under its name before DCGM 3.3")
            .more("PSTATE", GAUGE, INTEGER, "Performance state (0 to 15).")
            .from("gpu_pstate", SAME)
            .usual("MEMORY_TEMP", GAUGE, INTEGER, "Memory temperature (in C).")
            .from("gpu_temperature_celsius", "sensor", "memory", SAME)
            .usual("GPU_TEMP", GAUGE, INTEGER, "GPU temperature (in C).")
            .from("gpu_temperature_celsius", "sensor", "gpu", SAME)
            .usual("SLOWDOWN_TEMP", GAUGE, INTEGER, "Slowdown temperature of the GPU (in C).")
            .from("gpu_temperature_threshold_celsius", "kind", "slowdown", SAME)
            .more("SHUTDOWN_TEMP", GAUGE, INTEGER, "Shutdown temperature of the GPU (in C).")
            .from("gpu_temperature_threshold_celsius", "kind", "shutdown", SAME)
            .more("GPU_MAX_OP_TEMP", GAUGE, INTEGER, "Maximum operating temperature of the GPU (in C).")
            .from("gpu_temperature_threshold_celsius", "kind", "gpu_max", SAME)
            .more("MEM_MAX_OP_TEMP", GAUGE, INTEGER, "Maximum operating temperature of the memory (in C).")
            .from("gpu_temperature_threshold_celsius", "kind", "memory_max", SAME)
            .usual("POWER_USAGE", GAUGE, REAL, "Power draw (in W).")
            // As nvmlDeviceGetPowerUsage, which is behind DCGM's field: the average where the GPU keeps one.
            .from("gpu_power_watts", List.of(Map.of("window", "average"), Map.of("window", "instant")), SAME)
            .more("POWER_USAGE_INSTANT", GAUGE, REAL, "Instantaneous power draw (in W).")
            .from("gpu_power_watts", "window", "instant", SAME)
            .usual("TOTAL_ENERGY_CONSUMPTION", COUNTER, INTEGER, "Total energy consumption since boot (in mJ).")
            .from("gpu_energy_joules_total", MILLIJOULES)
            .more("POWER_MGMT_LIMIT", GAUGE, REAL, "Power management limit (in W).")
            .from("gpu_power_limit_watts", "kind", "requested", SAME)
            .more("POWER_MGMT_LIMIT_MIN", GAUGE, REAL, "Minimum power management limit (in W).")
            .from("gpu_power_limit_watts", "kind", "min", SAME)
            .more("POWER_MGMT_LIMIT_MAX", GAUGE, REAL, "Maximum power management limit (in W).")
            .from("gpu_power_limit_watts", "kind", "max", SAME)
            .more("POWER_MGMT_LIMIT_DEF", GAUGE, REAL, "Default power management limit (in W).")
            .from("gpu_power_limit_watts", "kind", "default", SAME)
            .more("ENFORCED_POWER_LIMIT", GAUGE, REAL, "Power limit that is enforced (in W).")
            .from("gpu_power_limit_watts", "kind", "enforced", SAME)
            .usual("GPU_UTIL", GAUGE, INTEGER, "GPU utilization (in %).")
            .from("gpu_utilization_ratio", "engine", "gpu", PERCENT)
            .usual("MEM_COPY_UTIL", GAUGE, INTEGER, "Memory utilization (in %).")
            .from("gpu_utilization_ratio", "engine", "memory", PERCENT)
            .usual("ENC_UTIL", GAUGE, INTEGER, "Encoder utilization (in %).")
            .from("gpu_utilization_ratio", "engine", "encoder", PERCENT)
            .usual("DEC_UTIL", GAUGE, INTEGER, "Decoder utilization (in %).")
            .from("gpu_utilization_ratio", "engine", "decoder", PERCENT)
            .usual("FB_TOTAL", GAUGE, INTEGER, "Framebuffer memory total (in MiB).")
            .from("gpu_memory_size_bytes", MEBIBYTES)
            .usual("FB_FREE", GAUGE, INTEGER, "Framebuffer memory free (in MiB).")
            .from("gpu_memory_bytes", "state", "free", MEBIBYTES)
            .usual("FB_USED", GAUGE, INTEGER, "Framebuffer memory used (in MiB).")
            .from("gpu_memory_bytes", "state", "used", MEBIBYTES)
            .usual("FB_RESERVED", GAUGE, INTEGER, "Framebuffer memory reserved (in MiB).")
            .from("gpu_memory_bytes", "state", "reserved", MEBIBYTES)
            .more("FB_USED_PERCENT", GAUGE, REAL, "Framebuffer memory used, as a ratio of what is not reserved.")
            .from(DcgmCatalogue::memoryShare, "used / (size − reserved), 0 to 1")
            .usual("ECC_SBE_VOL_TOTAL", COUNTER, INTEGER, "Total number of single-bit volatile ECC errors.")
            .from("gpu_ecc_errors_total", "severity", "corrected", SAME)
            .usual("ECC_DBE_VOL_TOTAL", COUNTER, INTEGER, "Total number of double-bit volatile ECC errors.")
            .from("gpu_ecc_errors_total", "severity", "uncorrected", SAME)
            .usual("ECC_SBE_AGG_TOTAL", COUNTER, INTEGER, "Total number of single-bit persistent ECC errors.")
            .from("gpu_ecc_lifetime_errors_total", "severity", "corrected", SAME)
            .usual("ECC_DBE_AGG_TOTAL", COUNTER, INTEGER, "Total number of double-bit persistent ECC errors.")
            .from("gpu_ecc_lifetime_errors_total", "severity", "uncorrected", SAME)
            .more("ECC_CURRENT", GAUGE, INTEGER, "Whether ECC is on.")
            .from("gpu_ecc_mode_enabled", "when", "current", SAME)
            .more("ECC_PENDING", GAUGE, INTEGER, "Whether ECC is on after the next reset.")
            .from("gpu_ecc_mode_enabled", "when", "pending", SAME)
            .usual("UNCORRECTABLE_REMAPPED_ROWS", COUNTER, INTEGER, "Number of remapped rows for uncorrectable errors")
            .from("gpu_row_remaps", "cause", "uncorrectable", SAME)
            .usual("CORRECTABLE_REMAPPED_ROWS", COUNTER, INTEGER, "Number of remapped rows for correctable errors")
            .from("gpu_row_remaps", "cause", "correctable", SAME)
            .usual("ROW_REMAP_FAILURE", GAUGE, INTEGER, "Whether remapping of rows has failed")
            .from("gpu_row_remap_failed", SAME)
            .usual("ROW_REMAP_PENDING", GAUGE, INTEGER, "Whether remapping of rows is pending")
            .from("gpu_row_remap_pending", SAME)
            .more("PCIE_LINK_GEN", GAUGE, INTEGER, "PCIe current link generation.")
            .from("gpu_pcie_link_generation", SAME)
            .more("PCIE_LINK_WIDTH", GAUGE, INTEGER, "PCIe current link width.")
            .from("gpu_pcie_link_width", SAME)
            .more("PCIE_MAX_LINK_GEN", GAUGE, INTEGER, "PCIe maximum link generation.")
            .from("gpu_pcie_link_generation_max", SAME)
            .more("PCIE_MAX_LINK_WIDTH", GAUGE, INTEGER, "PCIe maximum link width.")
            .from("gpu_pcie_link_width_max", SAME)
            .more("MIG_MODE", GAUGE, INTEGER, "Whether MIG is on.")
            .from("gpu_mig_enabled", "when", "current", SAME)
            .more("PERSISTENCE_MODE", GAUGE, INTEGER, "Whether persistence mode is on.")
            .from("gpu_persistence_mode_enabled", SAME)
            .all();

    /**
     * Fields that dcgm-exporter's own counters files name and that this agent does not read; asking for one of them is no
     * mistake, but gives no series.
     */
    public static final List<String> NOT_READ = List.of(
            "DCGM_FI_DEV_XID_ERRORS",
            "DCGM_FI_DEV_FAN_SPEED",
            "DCGM_FI_DEV_PCIE_TX_THROUGHPUT",
            "DCGM_FI_DEV_PCIE_RX_THROUGHPUT",
            "DCGM_FI_DEV_PCIE_REPLAY_COUNTER",
            "DCGM_FI_DEV_POWER_VIOLATION",
            "DCGM_FI_DEV_THERMAL_VIOLATION",
            "DCGM_FI_DEV_SYNC_BOOST_VIOLATION",
            "DCGM_FI_DEV_BOARD_LIMIT_VIOLATION",
            "DCGM_FI_DEV_LOW_UTIL_VIOLATION",
            "DCGM_FI_DEV_RELIABILITY_VIOLATION",
            "DCGM_FI_DEV_RETIRED_SBE",
            "DCGM_FI_DEV_RETIRED_DBE",
            "DCGM_FI_DEV_RETIRED_PENDING",
            "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
            "DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
            "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL",
            "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
            "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL",
            "DCGM_FI_DEV_VGPU_LICENSE_STATUS",
            "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
            "DCGM_FI_PROF_SM_ACTIVE",
            "DCGM_FI_PROF_SM_OCCUPANCY",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            "DCGM_FI_PROF_DRAM_ACTIVE",
            "DCGM_FI_PROF_PIPE_FP64_ACTIVE",
            "DCGM_FI_PROF_PIPE_FP32_ACTIVE",
            "DCGM_FI_PROF_PIPE_FP16_ACTIVE",
            "DCGM_FI_PROF_PCIE_TX_BYTES",
            "DCGM_FI_PROF_PCIE_RX_BYTES",
            "DCGM_FI_PROF_NVLINK_TX_BYTES",
            "DCGM_FI_PROF_NVLINK_RX_BYTES",
            "DCGM_EXP_XID_ERRORS_COUNT",
            "DCGM_EXP_CLOCK_EVENTS_COUNT",
            "DCGM_EXP_GPU_HEALTH_STATUS",
            "DCGM_EXP_P2P_STATUS");

    private DcgmCatalogue() {}

    private static OptionalDouble clockReasons(GpuSnapshot gpu) {
        return gpu.readings()
                .value(ReadingKeys.CLOCK_REASONS)
                .map(reasons -> OptionalDouble.of((double) ClockEventReason.mask(reasons)))
                .orElseGet(OptionalDouble::empty);
    }

    private static OptionalDouble memoryShare(GpuSnapshot gpu) {
        return gpu.readings()
                .value(ReadingKeys.MEMORY)
                .map(DcgmCatalogue::memoryShare)
                .orElseGet(OptionalDouble::empty);
    }

    private static OptionalDouble memoryShare(MemoryUse memory) {
        long usable = memory.totalBytes() - memory.reservedBytes().orElse(0);
        boolean isPossible = usable > 0 && memory.usedBytes() >= 0 && memory.usedBytes() <= usable;
        return isPossible ? OptionalDouble.of((double) memory.usedBytes() / usable) : OptionalDouble.empty();
    }

    /** Writes the table down: what a field is, and then where it comes from. */
    private static final class Fields {
        private final List<DcgmField> fields = new ArrayList<>();

        Begun usual(String name, DcgmField.Type type, DcgmField.Form form, String help) {
            return new Begun(this, name, type, form, help, true);
        }

        Begun more(String name, DcgmField.Type type, DcgmField.Form form, String help) {
            return new Begun(this, name, type, form, help, false);
        }

        List<DcgmField> all() {
            return List.copyOf(fields);
        }
    }

    private record Begun(
            Fields table, String name, DcgmField.Type type, DcgmField.Form form, String help, boolean usual) {
        Fields from(String family, Unit unit) {
            return from(family, ANY, unit);
        }

        Fields from(String family, String label, String value, Unit unit) {
            return from(family, List.of(Map.of(label, value)), unit);
        }

        Fields from(String family, List<Map<String, String>> choices, Unit unit) {
            return from(new OfFamily(family, choices, unit));
        }

        Fields from(Function<GpuSnapshot, OptionalDouble> value, String text) {
            return from(new OfReadings(value, text));
        }

        private Fields from(DcgmSource source) {
            table.fields.add(new DcgmField("DCGM_FI_DEV_" + name, type, form, help, usual, source));
            return table;
        }
    }
}
