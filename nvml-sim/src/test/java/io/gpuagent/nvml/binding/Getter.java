// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static io.gpuagent.nvml.NvmlFunction.*;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Architecture;
import io.gpuagent.nvml.Clocks.Domain;
import io.gpuagent.nvml.Coded;
import io.gpuagent.nvml.ComputeMode;
import io.gpuagent.nvml.Ecc;
import io.gpuagent.nvml.Ecc.Counter;
import io.gpuagent.nvml.Ecc.ErrorType;
import io.gpuagent.nvml.Fields;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Identity;
import io.gpuagent.nvml.Memory;
import io.gpuagent.nvml.Mode;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.Power;
import io.gpuagent.nvml.Thermal.Threshold;
import io.gpuagent.nvml.Utilization;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A getter of the binding.
 *
 * @param name how a caller writes it
 * @param ask the getter
 * @param function the newest function that it calls
 * @param captured what an idle H200 answered
 * @param outBytes sizes of the memory that it lends to the function, in the order in which it is taken
 */
record Getter(
        String name, Function<Gpu, Answer<?>> ask, NvmlFunction function, Object captured, List<Integer> outBytes) {

    /** All of them. */
    static final List<Getter> ALL = List.of(
            of("identity.name", g -> g.identity().name(), nvmlDeviceGetName, "NVIDIA H200", 96),
            of("identity.uuid", g -> g.identity().uuid(), nvmlDeviceGetUUID, simulatedUuid(), 96),
            of("identity.serial", g -> g.identity().serial(), nvmlDeviceGetSerial, "0000000000001", 30),
            of(
                    "identity.pci",
                    g -> g.identity().pci(),
                    nvmlDeviceGetPciInfo_v3,
                    new Identity.PciInfo(0, 0, 6, 0x2335_10DE, 0x18BF_10DE),
                    68),
            of("identity.minorNumber", g -> g.identity().minorNumber(), nvmlDeviceGetMinorNumber, 0, 4),
            of(
                    "identity.architecture",
                    g -> g.identity().architecture(),
                    nvmlDeviceGetArchitecture,
                    new Coded<>(9, Optional.of(Architecture.HOPPER)),
                    4),
            of(
                    "identity.computeCapability",
                    g -> g.identity().computeCapability(),
                    nvmlDeviceGetCudaComputeCapability,
                    "9.0",
                    4,
                    4),
            of(
                    "identity.vbiosVersion",
                    g -> g.identity().vbiosVersion(),
                    nvmlDeviceGetVbiosVersion,
                    "96.00.A5.00.1A",
                    32),
            of(
                    "identity.boardPartNumber",
                    g -> g.identity().boardPartNumber(),
                    nvmlDeviceGetBoardPartNumber,
                    "692-2G520-0282-001",
                    80),
            of(
                    "utilization.rates",
                    g -> g.utilization().rates(),
                    nvmlDeviceGetUtilizationRates,
                    new Utilization.Rates(0, 0),
                    8),
            of("utilization.encoder", g -> g.utilization().encoder(), nvmlDeviceGetEncoderUtilization, 0L, 4, 4),
            of("utilization.decoder", g -> g.utilization().decoder(), nvmlDeviceGetDecoderUtilization, 0L, 4, 4),
            of("utilization.jpeg", g -> g.utilization().jpeg(), nvmlDeviceGetJpgUtilization, 0L, 4, 4),
            of("utilization.ofa", g -> g.utilization().ofa(), nvmlDeviceGetOfaUtilization, 0L, 4, 4),
            of(
                    "memory.use",
                    g -> g.memory().use(),
                    nvmlDeviceGetMemoryInfo_v2,
                    new Memory.Use(150_754_820_096L, 150_109_880_320L, 0, OptionalLong.of(644_939_776)),
                    40),
            of("thermal.gpu", g -> g.thermal().gpu(), nvmlDeviceGetTemperatureV, 41, 12),
            threshold(Threshold.SHUTDOWN, 95),
            threshold(Threshold.SLOWDOWN, 89),
            threshold(Threshold.MEMORY_MAX, 95),
            threshold(Threshold.GPU_MAX, 87),
            of("power.usage", g -> g.power().usage(), nvmlDeviceGetPowerUsage, 80_205L, 4),
            of("power.enforcedLimit", g -> g.power().enforcedLimit(), nvmlDeviceGetEnforcedPowerLimit, 700_000L, 4),
            of("power.requestedLimit", g -> g.power().requestedLimit(), nvmlDeviceGetPowerManagementLimit, 700_000L, 4),
            of(
                    "power.defaultLimit",
                    g -> g.power().defaultLimit(),
                    nvmlDeviceGetPowerManagementDefaultLimit,
                    700_000L,
                    4),
            of(
                    "power.limitRange",
                    g -> g.power().limitRange(),
                    nvmlDeviceGetPowerManagementLimitConstraints,
                    new Power.LimitRange(200_000, 700_000),
                    4,
                    4),
            of("power.energy", g -> g.power().energy(), nvmlDeviceGetTotalEnergyConsumption, 2_524_881L, 8),
            clock(Domain.GRAPHICS, 345),
            clock(Domain.SM, 345),
            clock(Domain.MEMORY, 3_201),
            clock(Domain.VIDEO, 765),
            maxClock(Domain.GRAPHICS, 1_980),
            maxClock(Domain.SM, 1_980),
            maxClock(Domain.MEMORY, 3_201),
            maxClock(Domain.VIDEO, 1_545),
            of("clocks.eventReasons", g -> g.clocks().eventReasons(), nvmlDeviceGetCurrentClocksEventReasons, 1L, 8),
            of(
                    "clocks.supportedEventReasons",
                    g -> g.clocks().supportedEventReasons(),
                    nvmlDeviceGetSupportedClocksEventReasons,
                    511L,
                    8),
            of("clocks.performanceState", g -> g.clocks().performanceState(), nvmlDeviceGetPerformanceState, 0, 4),
            of("ecc.mode", g -> g.ecc().mode(), nvmlDeviceGetEccMode, new Mode(true, true), 4, 4),
            errors(ErrorType.CORRECTED, Counter.VOLATILE),
            errors(ErrorType.CORRECTED, Counter.AGGREGATE),
            errors(ErrorType.UNCORRECTED, Counter.VOLATILE),
            errors(ErrorType.UNCORRECTED, Counter.AGGREGATE),
            of(
                    "ecc.remappedRows",
                    g -> g.ecc().remappedRows(),
                    nvmlDeviceGetRemappedRows,
                    new Ecc.RemappedRows(0, 0, false, false),
                    4,
                    4,
                    4,
                    4),
            of("pcie.generation", g -> g.pcie().generation(), nvmlDeviceGetCurrPcieLinkGeneration, 5, 4),
            of("pcie.width", g -> g.pcie().width(), nvmlDeviceGetCurrPcieLinkWidth, 16, 4),
            of("pcie.maxGeneration", g -> g.pcie().maxGeneration(), nvmlDeviceGetMaxPcieLinkGeneration, 5, 4),
            of("pcie.maxWidth", g -> g.pcie().maxWidth(), nvmlDeviceGetMaxPcieLinkWidth, 16, 4),
            // The number of processes, and room for 32 of the largest records there have been.
            of(
                    "processes.compute",
                    g -> g.processes().compute(),
                    nvmlDeviceGetComputeRunningProcesses_v3,
                    List.of(),
                    4,
                    1024),
            of(
                    "processes.graphics",
                    g -> g.processes().graphics(),
                    nvmlDeviceGetGraphicsRunningProcesses_v3,
                    List.of(),
                    4,
                    1024),
            of(
                    "processes.mps",
                    g -> g.processes().mps(),
                    nvmlDeviceGetMPSComputeRunningProcesses_v3,
                    List.of(),
                    4,
                    1024),
            of("fields.read", g -> g.fields().read(Fields.MEMORY_TEMP).getFirst(), nvmlDeviceGetFieldValues, 42L, 40),
            of("modes.mig", g -> g.modes().mig(), nvmlDeviceGetMigMode, new Mode(false, false), 4, 4),
            of("modes.persistence", g -> g.modes().persistence(), nvmlDeviceGetPersistenceMode, true, 4),
            of(
                    "modes.compute",
                    g -> g.modes().compute(),
                    nvmlDeviceGetComputeMode,
                    new Coded<>(0, Optional.of(ComputeMode.DEFAULT)),
                    4));

    private static Getter of(
            String name, Function<Gpu, Answer<?>> ask, NvmlFunction function, Object captured, Integer... outBytes) {
        return new Getter(name, ask, function, captured, List.of(outBytes));
    }

    private static Getter threshold(Threshold threshold, int celsius) {
        return of(
                "thermal.threshold " + threshold,
                g -> g.thermal().threshold(threshold),
                nvmlDeviceGetTemperatureThreshold,
                celsius,
                4);
    }

    private static Getter clock(Domain domain, long megahertz) {
        return of("clocks.current " + domain, g -> g.clocks().current(domain), nvmlDeviceGetClockInfo, megahertz, 4);
    }

    private static Getter maxClock(Domain domain, long megahertz) {
        return of("clocks.max " + domain, g -> g.clocks().max(domain), nvmlDeviceGetMaxClockInfo, megahertz, 4);
    }

    private static Getter errors(ErrorType type, Counter counter) {
        return of(
                "ecc.total " + type + " " + counter,
                g -> g.ecc().total(type, counter),
                nvmlDeviceGetTotalEccErrors,
                0L,
                8);
    }

    Answer<?> of(Gpu gpu) {
        return ask.apply(gpu);
    }

    /** Replaced in the capture; the same for the first simulated H200 of every run. */
    private static String simulatedUuid() {
        return SimulatedDriver.start(SimProfile.parse("h200"), () -> 0).gpu(0).uuid();
    }

    @Override
    public String toString() {
        return name;
    }
}
