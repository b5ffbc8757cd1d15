// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.ClockDomain;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.EccCounter;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.Mode;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.PcieLink;
import io.gpuagent.model.PowerLimitRange;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.RowRemap;
import io.gpuagent.model.TemperatureThreshold;
import io.gpuagent.model.Tier;
import io.gpuagent.model.UtilizationRates;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Architecture;
import io.gpuagent.nvml.Clocks;
import io.gpuagent.nvml.Coded;
import io.gpuagent.nvml.ComputeMode;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Fields;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.ProcessInfo;
import io.gpuagent.nvml.Thermal;
import io.gpuagent.nvml.Utilization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Every question the agent asks a GPU, and how NVML's units become the model's. */
final class Probes {
    // What a value can be at the most; beyond it, the driver's answer is a mistake. Generous on purpose.
    private static final double MAX_WATTS = 10_000;
    private static final double MIN_CELSIUS = -60;
    private static final double MAX_CELSIUS = 200;
    private static final double MAX_HERTZ = 20e9;

    static final List<Probe> ALL = List.copyOf(all());

    private Probes() {}

    private static List<Probe> all() {
        List<Probe> probes = new ArrayList<>();
        identity(probes);
        load(probes);
        thermal(probes);
        power(probes);
        clocks(probes);
        reliability(probes);
        state(probes);
        probes.addAll(HealthProbes.ALL);
        return probes;
    }

    private static void identity(List<Probe> probes) {
        probes.add(Probe.of(ReadingKeys.NAME, gpu -> gpu.identity().name()));
        probes.add(Probe.of(ReadingKeys.SERIAL, gpu -> gpu.identity().serial()));
        probes.add(Probe.of(
                ReadingKeys.PCI,
                gpu -> gpu.identity().pci().map(pci -> new PciAddress(pci.domain(), pci.bus(), pci.device()))));
        probes.add(Probe.of(ReadingKeys.MINOR, gpu -> gpu.identity().minorNumber()));
        probes.add(Probe.of(
                ReadingKeys.ARCHITECTURE, gpu -> gpu.identity().architecture().map(Probes::architecture)));
        probes.add(
                Probe.of(ReadingKeys.COMPUTE_CAPABILITY, gpu -> gpu.identity().computeCapability()));
        probes.add(Probe.of(ReadingKeys.CORES, gpu -> gpu.identity().cores().map(Long::intValue)));
        probes.add(Probe.of(ReadingKeys.VBIOS, gpu -> gpu.identity().vbiosVersion()));
        probes.add(Probe.of(ReadingKeys.BOARD_PART, gpu -> gpu.identity().boardPartNumber()));
    }

    private static void load(List<Probe> probes) {
        probes.add(new Probe(Tier.FAST, List.of(ReadingKeys.UTILIZATION), Probes::utilization));
        probes.add(
                share(ReadingKeys.UTILIZATION_ENCODER, gpu -> gpu.utilization().encoder()));
        probes.add(
                share(ReadingKeys.UTILIZATION_DECODER, gpu -> gpu.utilization().decoder()));
        probes.add(share(ReadingKeys.UTILIZATION_JPEG, gpu -> gpu.utilization().jpeg()));
        probes.add(share(ReadingKeys.UTILIZATION_OFA, gpu -> gpu.utilization().ofa()));
        probes.add(Probe.of(
                ReadingKeys.MEMORY,
                gpu -> gpu.memory()
                        .use()
                        .map(use -> new MemoryUse(use.total(), use.free(), use.used(), use.reserved()))));
        probes.add(processes(ProcessType.COMPUTE, gpu -> gpu.processes().compute()));
        probes.add(processes(ProcessType.GRAPHICS, gpu -> gpu.processes().graphics()));
        probes.add(processes(ProcessType.MPS, gpu -> gpu.processes().mps()));
    }

    private static void utilization(Gpu gpu, Probe.Answers answers) {
        Answer<Utilization.Rates> answer = gpu.utilization().rates();
        if (answer instanceof Answer.Value<Utilization.Rates>(Utilization.Rates rates)
                && (rates.gpu() > 100 || rates.memory() > 100)) {
            answers.reject(ReadingKeys.UTILIZATION, rates.toString());
        } else {
            answers.put(
                    ReadingKeys.UTILIZATION,
                    answer.map(rates -> new UtilizationRates(rates.gpu() / 100.0, rates.memory() / 100.0)));
        }
    }

    private static void thermal(List<Probe> probes) {
        probes.add(Probe.bounded(
                ReadingKeys.TEMPERATURE_GPU,
                MIN_CELSIUS,
                MAX_CELSIUS,
                gpu -> gpu.thermal().gpu()));
        for (TemperatureThreshold threshold : TemperatureThreshold.values()) {
            Thermal.Threshold which = switch (threshold) {
                case SHUTDOWN -> Thermal.Threshold.SHUTDOWN;
                case SLOWDOWN -> Thermal.Threshold.SLOWDOWN;
                case MEMORY_MAX -> Thermal.Threshold.MEMORY_MAX;
                case GPU_MAX -> Thermal.Threshold.GPU_MAX;
            };
            probes.add(Probe.bounded(
                    ReadingKeys.threshold(threshold),
                    MIN_CELSIUS,
                    MAX_CELSIUS,
                    gpu -> gpu.thermal().threshold(which)));
        }
    }

    private static void power(List<Probe> probes) {
        probes.add(watts(ReadingKeys.POWER_LIMIT_ENFORCED, gpu -> gpu.power().enforcedLimit()));
        probes.add(watts(ReadingKeys.POWER_LIMIT_REQUESTED, gpu -> gpu.power().requestedLimit()));
        probes.add(watts(ReadingKeys.POWER_LIMIT_DEFAULT, gpu -> gpu.power().defaultLimit()));
        probes.add(Probe.of(
                ReadingKeys.POWER_LIMIT_RANGE,
                gpu -> gpu.power()
                        .limitRange()
                        .map(range -> new PowerLimitRange(range.min() / 1000.0, range.max() / 1000.0))));
        probes.add(Probe.of(ReadingKeys.ENERGY, gpu -> gpu.power().energy().map(millijoules -> millijoules / 1000.0)));
        probes.add(new Probe(
                Tier.FAST,
                List.of(ReadingKeys.POWER_INSTANT, ReadingKeys.POWER_AVERAGE, ReadingKeys.TEMPERATURE_MEMORY),
                Probes::fastFields));
    }

    /** One call for all: the batch costs what its dearest field does. */
    private static void fastFields(Gpu gpu, Probe.Answers answers) {
        List<Answer<Number>> fields = gpu.fields().read(Fields.POWER_INSTANT, Fields.POWER_AVERAGE, Fields.MEMORY_TEMP);
        Answer<Number> instant = fields.get(0);
        // Drivers too old for these fields answer the power draw now, by another call.
        Answer<Double> now = instant instanceof Answer.Refused<Number>(var function, NvmlReturn code)
                        && (code.equals(NvmlReturn.NOT_SUPPORTED) || code.equals(NvmlReturn.FUNCTION_NOT_FOUND))
                ? gpu.power().usage().map(Probes::watts)
                : instant.map(Probes::watts);
        Probe.within(ReadingKeys.POWER_INSTANT, 0, MAX_WATTS, now, answers);
        Probe.within(ReadingKeys.POWER_AVERAGE, 0, MAX_WATTS, fields.get(1).map(Probes::watts), answers);
        Probe.within(
                ReadingKeys.TEMPERATURE_MEMORY,
                MIN_CELSIUS,
                MAX_CELSIUS,
                fields.get(2).map(Number::intValue),
                answers);
    }

    private static double watts(Number milliwatts) {
        return milliwatts.doubleValue() / 1000;
    }

    private static void clocks(List<Probe> probes) {
        for (ClockDomain domain : ClockDomain.values()) {
            Clocks.Domain which = switch (domain) {
                case GRAPHICS -> Clocks.Domain.GRAPHICS;
                case SM -> Clocks.Domain.SM;
                case MEMORY -> Clocks.Domain.MEMORY;
                case VIDEO -> Clocks.Domain.VIDEO;
            };
            probes.add(hertz(ReadingKeys.clock(domain), gpu -> gpu.clocks().current(which)));
            probes.add(hertz(ReadingKeys.clockMax(domain), gpu -> gpu.clocks().max(which)));
        }
        probes.add(Probe.of(
                ReadingKeys.CLOCK_REASONS, gpu -> gpu.clocks().eventReasons().map(ClockEventReason::of)));
        probes.add(Probe.of(
                ReadingKeys.CLOCK_REASONS_SUPPORTED,
                gpu -> gpu.clocks().supportedEventReasons().map(ClockEventReason::of)));
        probes.add(Probe.bounded(ReadingKeys.PSTATE, 0, 15, gpu -> gpu.clocks().performanceState()));
    }

    private static void reliability(List<Probe> probes) {
        for (EccCounter.Severity severity : EccCounter.Severity.values()) {
            Ecc.ErrorType type =
                    severity == EccCounter.Severity.CORRECTED ? Ecc.ErrorType.CORRECTED : Ecc.ErrorType.UNCORRECTED;
            for (EccCounter.Scope scope : EccCounter.Scope.values()) {
                Ecc.Counter since = scope == EccCounter.Scope.LIFETIME ? Ecc.Counter.AGGREGATE : Ecc.Counter.VOLATILE;
                probes.add(Probe.of(
                        ReadingKeys.ecc(new EccCounter(severity, scope)),
                        gpu -> gpu.ecc().total(type, since)));
            }
        }
        probes.add(Probe.of(ReadingKeys.ECC_MODE, gpu -> gpu.ecc().mode().map(Probes::mode)));
        probes.add(Probe.of(
                ReadingKeys.ROW_REMAP,
                gpu -> gpu.ecc()
                        .remappedRows()
                        .map(rows -> new RowRemap(
                                rows.correctable(), rows.uncorrectable(), rows.pending(), rows.failed()))));
        probes.add(Probe.of(
                ReadingKeys.RECOVERY_ACTION,
                gpu -> gpu.fields()
                        .read(Fields.GET_GPU_RECOVERY_ACTION)
                        .getFirst()
                        .map(Number::intValue)));
    }

    private static void state(List<Probe> probes) {
        probes.add(Probe.of(
                ReadingKeys.PCIE_LINK,
                gpu -> link(gpu.pcie().generation(), gpu.pcie().width())));
        probes.add(Probe.of(
                ReadingKeys.PCIE_LINK_MAX,
                gpu -> link(gpu.pcie().maxGeneration(), gpu.pcie().maxWidth())));
        probes.add(Probe.of(ReadingKeys.MIG_MODE, gpu -> gpu.modes().mig().map(Probes::mode)));
        probes.add(Probe.of(ReadingKeys.PERSISTENCE_MODE, gpu -> gpu.modes().persistence()));
        probes.add(
                Probe.of(ReadingKeys.COMPUTE_MODE, gpu -> gpu.modes().compute().map(Probes::computeMode)));
    }

    /** As NVIDIA writes it: Hopper; the number of one that is newer than the binding. */
    private static String architecture(Coded<Architecture> architecture) {
        String name = architecture.toString();
        return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
    }

    private static String computeMode(Coded<ComputeMode> mode) {
        return mode.toString().toLowerCase(Locale.ROOT);
    }

    private static Probe share(ReadingKey<Double> key, Function<Gpu, Answer<Long>> call) {
        return Probe.bounded(key, 0, 1, gpu -> call.apply(gpu).map(percent -> percent / 100.0));
    }

    private static Probe watts(ReadingKey<Double> key, Function<Gpu, Answer<Long>> call) {
        return Probe.bounded(key, 0, MAX_WATTS, gpu -> call.apply(gpu).map(Probes::watts));
    }

    private static Probe hertz(ReadingKey<Long> key, Function<Gpu, Answer<Long>> call) {
        return Probe.bounded(key, 0, MAX_HERTZ, gpu -> call.apply(gpu).map(megahertz -> megahertz * 1_000_000));
    }

    private static Probe processes(ProcessType type, Function<Gpu, Answer<List<ProcessInfo>>> call) {
        return Probe.of(ReadingKeys.processes(type), gpu -> call.apply(gpu).map(Probes::processes));
    }

    private static List<GpuProcess> processes(List<ProcessInfo> infos) {
        if (infos.isEmpty()) {
            return List.of();
        }
        List<GpuProcess> processes = new ArrayList<>(infos.size());
        for (ProcessInfo process : infos) {
            processes.add(new GpuProcess(
                    process.pid(), process.usedGpuMemory(), process.gpuInstanceId(), process.computeInstanceId()));
        }
        return Collections.unmodifiableList(processes);
    }

    private static Mode mode(io.gpuagent.nvml.Mode mode) {
        return new Mode(mode.current(), mode.pending());
    }

    /** A link is only known when both of its halves are. */
    private static Answer<PcieLink> link(Answer<Integer> generation, Answer<Integer> width) {
        return switch (generation) {
            case Answer.Value<Integer>(Integer number) -> width.map(lanes -> new PcieLink(number, lanes));
            case Answer.Refused<Integer>(NvmlFunction function, NvmlReturn code) ->
                new Answer.Refused<>(function, code);
            case Answer.Unavailable<Integer>(NvmlFunction function) -> new Answer.Unavailable<>(function);
        };
    }
}
