// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.MetricFamily.Type.COUNTER;
import static io.gpuagent.exporters.MetricFamily.Type.GAUGE;

import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.ClockDomain;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.PowerLimitRange;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.TemperatureThreshold;
import io.gpuagent.model.UtilizationRates;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a GPU does: busy time, memory, power, temperature, clocks. */
final class LoadFamilies {
    // No board draws 100 kW and none is measured outside these temperatures; drivers have answered both.
    private static final double MAX_WATTS = 100_000;
    private static final double MIN_CELSIUS = -100;
    private static final double MAX_CELSIUS = 250;
    private static final double MAX_HERTZ = 100e9;

    static final List<MetricFamily> ALL = List.of(
            FamilyBuilder.perGpu(
                            "gpu_utilization_ratio",
                            GAUGE,
                            Group.UTILIZATION,
                            "Share of time, 0 to 1, in which an engine was busy over the driver's last sample period;"
                                    + " memory is the time in which memory was read or written, not how full it is;"
                                    + " gpu and memory are absent while MIG is on")
                    .label("engine", "gpu", "memory", "encoder", "decoder", "jpeg", "ofa")
                    .source("nvmlDeviceGetUtilizationRates, nvmlDeviceGetEncoderUtilization,"
                            + " nvmlDeviceGetDecoderUtilization, nvmlDeviceGetJpgUtilization,"
                            + " nvmlDeviceGetOfaUtilization")
                    .zeroToOne()
                    .value(ReadingKeys.UTILIZATION, UtilizationRates::gpu, "gpu")
                    .value(ReadingKeys.UTILIZATION, UtilizationRates::memory, "memory")
                    .value(ReadingKeys.UTILIZATION_ENCODER, Double::doubleValue, "encoder")
                    .value(ReadingKeys.UTILIZATION_DECODER, Double::doubleValue, "decoder")
                    .value(ReadingKeys.UTILIZATION_JPEG, Double::doubleValue, "jpeg")
                    .value(ReadingKeys.UTILIZATION_OFA, Double::doubleValue, "ofa")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_memory_bytes",
                            GAUGE,
                            Group.MEMORY,
                            "Device memory by state, in bytes; reserved is what driver and firmware hold, and where it is"
                                    + " absent (drivers before 510) used contains it")
                    .label("state", "used", "free", "reserved")
                    .source("nvmlDeviceGetMemoryInfo_v2, or nvmlDeviceGetMemoryInfo without reserved")
                    .value(ReadingKeys.MEMORY, MemoryUse::usedBytes, "used")
                    .value(ReadingKeys.MEMORY, MemoryUse::freeBytes, "free")
                    .values(
                            ReadingKeys.MEMORY,
                            (memory, samples) ->
                                    memory.reservedBytes().ifPresent(bytes -> samples.add((double) bytes, "reserved")))
                    .build(),
            FamilyBuilder.perGpu("gpu_cuda_cores", GAUGE, Group.UTILIZATION, "CUDA cores of the whole GPU")
                    .source("nvmlDeviceGetNumGpuCores")
                    .value(ReadingKeys.CORES, Integer::doubleValue)
                    .build(),
            FamilyBuilder.perGpu("gpu_memory_size_bytes", GAUGE, Group.MEMORY, "Installed device memory, in bytes")
                    .source("nvmlDeviceGetMemoryInfo_v2")
                    .value(ReadingKeys.MEMORY, MemoryUse::totalBytes)
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_power_watts",
                            GAUGE,
                            Group.POWER,
                            "Power draw, in watts: at this instant, and as the driver's average over a second")
                    .label("window", "instant", "average")
                    .source("fields NVML_FI_DEV_POWER_INSTANT (in older drivers nvmlDeviceGetPowerUsage) and"
                            + " NVML_FI_DEV_POWER_AVERAGE")
                    .between(0, MAX_WATTS)
                    .value(ReadingKeys.POWER_INSTANT, Double::doubleValue, "instant")
                    .value(ReadingKeys.POWER_AVERAGE, Double::doubleValue, "average")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_power_limit_watts",
                            GAUGE,
                            Group.POWER,
                            "Power limit, in watts: the one enforced now, the one that was asked for, the one the GPU"
                                    + " starts with, and the lowest and highest that can be asked for")
                    .label("kind", "enforced", "requested", "default", "min", "max")
                    .source("nvmlDeviceGetEnforcedPowerLimit, nvmlDeviceGetPowerManagementLimit,"
                            + " nvmlDeviceGetPowerManagementDefaultLimit,"
                            + " nvmlDeviceGetPowerManagementLimitConstraints")
                    .between(0, MAX_WATTS)
                    .value(ReadingKeys.POWER_LIMIT_ENFORCED, Double::doubleValue, "enforced")
                    .value(ReadingKeys.POWER_LIMIT_REQUESTED, Double::doubleValue, "requested")
                    .value(ReadingKeys.POWER_LIMIT_DEFAULT, Double::doubleValue, "default")
                    .value(ReadingKeys.POWER_LIMIT_RANGE, PowerLimitRange::minWatts, "min")
                    .value(ReadingKeys.POWER_LIMIT_RANGE, PowerLimitRange::maxWatts, "max")
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_energy_joules_total",
                            COUNTER,
                            Group.POWER,
                            "Energy used since the driver was loaded, in joules")
                    .source("nvmlDeviceGetTotalEnergyConsumption")
                    .value(ReadingKeys.ENERGY, Double::doubleValue)
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_temperature_celsius",
                            GAUGE,
                            Group.TEMPERATURE,
                            "Temperature of the GPU's die and of its memory, in degrees Celsius")
                    .label("sensor", "gpu", "memory")
                    .source("nvmlDeviceGetTemperatureV, field NVML_FI_DEV_MEMORY_TEMP")
                    .between(MIN_CELSIUS, MAX_CELSIUS)
                    .value(ReadingKeys.TEMPERATURE_GPU, Integer::doubleValue, "gpu")
                    .value(ReadingKeys.TEMPERATURE_MEMORY, Integer::doubleValue, "memory")
                    .build(),
            thresholds(),
            clocks("gpu_clock_hertz", "Frequency of a clock now, in hertz", "nvmlDeviceGetClockInfo", false),
            clocks("gpu_clock_max_hertz", "Highest frequency of a clock, in hertz", "nvmlDeviceGetMaxClockInfo", true),
            FamilyBuilder.perGpu(
                            "gpu_clock_limited",
                            GAUGE,
                            Group.CLOCKS,
                            "1 for each reason that holds the clocks down now, 0 for the others that this GPU can report;"
                                    + " gpu_idle is no trouble")
                    .label("reason", ClockEventReason.values(), ClockEventReason::label)
                    .source("nvmlDeviceGetCurrentClocksEventReasons, nvmlDeviceGetSupportedClocksEventReasons")
                    .zeroToOne()
                    .gpu(LoadFamilies::limits, ReadingKeys.CLOCK_REASONS, ReadingKeys.CLOCK_REASONS_SUPPORTED)
                    .build(),
            FamilyBuilder.perGpu(
                            "gpu_pstate", GAUGE, Group.CLOCKS, "Performance state, from 0 (fastest) to 15 (slowest)")
                    .source("nvmlDeviceGetPerformanceState")
                    .between(0, 15)
                    .value(ReadingKeys.PSTATE, Integer::doubleValue)
                    .build());

    private LoadFamilies() {}

    private static void limits(GpuSnapshot gpu, Samples samples) {
        Optional<Set<ClockEventReason>> active = gpu.readings().value(ReadingKeys.CLOCK_REASONS);
        if (active.isEmpty()) {
            return;
        }
        Set<ClockEventReason> reported = EnumSet.noneOf(ClockEventReason.class);
        // Without the list of what the GPU can report, only what is active is certain.
        gpu.readings().value(ReadingKeys.CLOCK_REASONS_SUPPORTED).ifPresent(reported::addAll);
        reported.addAll(active.get());
        for (ClockEventReason reason : reported) {
            samples.add(active.get().contains(reason) ? 1 : 0, reason.label());
        }
    }

    private static MetricFamily thresholds() {
        FamilyBuilder family = FamilyBuilder.perGpu(
                        "gpu_temperature_threshold_celsius",
                        GAUGE,
                        Group.TEMPERATURE,
                        "Temperature, in degrees Celsius, from which the GPU shuts down, slows down or may slow down,"
                                + " and up to which its memory may go")
                .label("kind", TemperatureThreshold.values(), TemperatureThreshold::label)
                .source("nvmlDeviceGetTemperatureThreshold")
                .between(MIN_CELSIUS, MAX_CELSIUS);
        for (TemperatureThreshold threshold : TemperatureThreshold.values()) {
            family.value(ReadingKeys.threshold(threshold), Integer::doubleValue, threshold.label());
        }
        return family.build();
    }

    private static MetricFamily clocks(String name, String help, String call, boolean max) {
        FamilyBuilder family = FamilyBuilder.perGpu(name, GAUGE, Group.CLOCKS, help)
                .label("domain", ClockDomain.values(), ClockDomain::label)
                .source(call)
                .between(0, MAX_HERTZ);
        for (ClockDomain domain : ClockDomain.values()) {
            family.value(
                    max ? ReadingKeys.clockMax(domain) : ReadingKeys.clock(domain), Long::doubleValue, domain.label());
        }
        return family.build();
    }
}
