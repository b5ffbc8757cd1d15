// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import io.gpuagent.model.mig.MigDeviceErrors;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigView;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Everything that is read from a GPU. The comments name the NVML call behind each key. */
public final class ReadingKeys {
    // Static: once per topology.

    /** Product name; nvmlDeviceGetName. */
    public static final ReadingKey<String> NAME = ReadingKey.of("name", Tier.STATIC);
    /** Board serial number; nvmlDeviceGetSerial. */
    public static final ReadingKey<String> SERIAL = ReadingKey.of("serial", Tier.STATIC);
    /** PCI address; nvmlDeviceGetPciInfo_v3. */
    public static final ReadingKey<PciAddress> PCI = ReadingKey.of("pci", Tier.STATIC);
    /** N of /dev/nvidiaN; nvmlDeviceGetMinorNumber. */
    public static final ReadingKey<Integer> MINOR = ReadingKey.of("minor", Tier.STATIC);
    /** Architecture's name, such as Hopper; nvmlDeviceGetArchitecture. */
    public static final ReadingKey<String> ARCHITECTURE = ReadingKey.of("architecture", Tier.STATIC);
    /** CUDA compute capability, such as 9.0; nvmlDeviceGetCudaComputeCapability. */
    public static final ReadingKey<String> COMPUTE_CAPABILITY = ReadingKey.of("compute_capability", Tier.STATIC);
    /** CUDA cores; nvmlDeviceGetNumGpuCores. */
    public static final ReadingKey<Integer> CORES = ReadingKey.of("cores", Tier.STATIC);
    /** VBIOS version; nvmlDeviceGetVbiosVersion. */
    public static final ReadingKey<String> VBIOS = ReadingKey.of("vbios", Tier.STATIC);
    /** Board part number; nvmlDeviceGetBoardPartNumber. */
    public static final ReadingKey<String> BOARD_PART = ReadingKey.of("board_part", Tier.STATIC);
    /** Clock event reasons that this GPU can report; nvmlDeviceGetSupportedClocksEventReasons. */
    public static final ReadingKey<Set<ClockEventReason>> CLOCK_REASONS_SUPPORTED =
            ReadingKey.of("clock_reasons.supported", Tier.STATIC);
    /** Fastest link that GPU and slot can have; nvmlDeviceGetMaxPcieLink*. */
    public static final ReadingKey<PcieLink> PCIE_LINK_MAX = ReadingKey.of("pcie.link.max", Tier.STATIC);
    /** Power limit the GPU boots with, watts; nvmlDeviceGetPowerManagementDefaultLimit. */
    public static final ReadingKey<Double> POWER_LIMIT_DEFAULT = ReadingKey.of("power.limit.default", Tier.STATIC);
    /** Range of the power limit; nvmlDeviceGetPowerManagementLimitConstraints. */
    public static final ReadingKey<PowerLimitRange> POWER_LIMIT_RANGE = ReadingKey.of("power.limit.range", Tier.STATIC);

    // Fast: microseconds.

    /** Busy shares; nvmlDeviceGetUtilizationRates. Not supported in MIG mode. */
    public static final ReadingKey<UtilizationRates> UTILIZATION = ReadingKey.of("utilization", Tier.FAST);
    /** Busy share of the encoder, 0..1; nvmlDeviceGetEncoderUtilization. */
    public static final ReadingKey<Double> UTILIZATION_ENCODER = ReadingKey.of("utilization.encoder", Tier.FAST);
    /** Busy share of the decoder, 0..1; nvmlDeviceGetDecoderUtilization. */
    public static final ReadingKey<Double> UTILIZATION_DECODER = ReadingKey.of("utilization.decoder", Tier.FAST);
    /** Busy share of the JPEG engine, 0..1; nvmlDeviceGetJpgUtilization. */
    public static final ReadingKey<Double> UTILIZATION_JPEG = ReadingKey.of("utilization.jpeg", Tier.FAST);
    /** Busy share of the optical flow engine, 0..1; nvmlDeviceGetOfaUtilization. */
    public static final ReadingKey<Double> UTILIZATION_OFA = ReadingKey.of("utilization.ofa", Tier.FAST);
    /** Memory; nvmlDeviceGetMemoryInfo_v2, or version 1 without the reserved part. */
    public static final ReadingKey<MemoryUse> MEMORY = ReadingKey.of("memory", Tier.FAST);
    /** Temperature of the die, degrees Celsius; nvmlDeviceGetTemperatureV. */
    public static final ReadingKey<Integer> TEMPERATURE_GPU = ReadingKey.of("temperature.gpu", Tier.FAST);
    /** Temperature of the memory, degrees Celsius; field 82. */
    public static final ReadingKey<Integer> TEMPERATURE_MEMORY = ReadingKey.of("temperature.memory", Tier.FAST);
    /** Power draw averaged over a second, watts; field 185. Absent on GA100 and before Ampere. */
    public static final ReadingKey<Double> POWER_AVERAGE = ReadingKey.of("power.average", Tier.FAST);
    /** Power draw now, watts; field 186, in older drivers nvmlDeviceGetPowerUsage. */
    public static final ReadingKey<Double> POWER_INSTANT = ReadingKey.of("power.instant", Tier.FAST);
    /** Lowest of all limits that hold, watts; nvmlDeviceGetEnforcedPowerLimit. */
    public static final ReadingKey<Double> POWER_LIMIT_ENFORCED = ReadingKey.of("power.limit.enforced", Tier.FAST);
    /** Why clocks are low now; nvmlDeviceGetCurrentClocksEventReasons. */
    public static final ReadingKey<Set<ClockEventReason>> CLOCK_REASONS = ReadingKey.of("clock_reasons", Tier.FAST);
    /** Memory by MIG device; nvmlDeviceGetMemoryInfo_v2 of each. Empty while MIG is off. */
    public static final ReadingKey<List<MigDeviceUse>> MIG_MEMORY = ReadingKey.of("mig.memory", Tier.FAST);
    /** P-state, 0 fastest to 15; nvmlDeviceGetPerformanceState. */
    public static final ReadingKey<Integer> PSTATE = ReadingKey.of("pstate", Tier.FAST);

    // Slow: a round trip to the GPU's system processor, or milliseconds.

    /** Energy since the driver was loaded, joules; nvmlDeviceGetTotalEnergyConsumption (3 ms). */
    public static final ReadingKey<Double> ENERGY = ReadingKey.of("energy", Tier.SLOW);
    /** Power limit that was asked for, watts; nvmlDeviceGetPowerManagementLimit. */
    public static final ReadingKey<Double> POWER_LIMIT_REQUESTED = ReadingKey.of("power.limit.requested", Tier.SLOW);
    /** ECC mode; nvmlDeviceGetEccMode. */
    public static final ReadingKey<Mode> ECC_MODE = ReadingKey.of("ecc.mode", Tier.SLOW);
    /** Remapped rows; nvmlDeviceGetRemappedRows. */
    public static final ReadingKey<RowRemap> ROW_REMAP = ReadingKey.of("row_remap", Tier.SLOW);
    /** Action that recovers the GPU: 0 none, 1 reset, 2 reboot, 3 drain P2P, 4 drain and reset; field 230. */
    public static final ReadingKey<Integer> RECOVERY_ACTION = ReadingKey.of("recovery_action", Tier.SLOW);
    /** Link as it is now; it narrows when idle. nvmlDeviceGetCurrPcieLink*. */
    public static final ReadingKey<PcieLink> PCIE_LINK = ReadingKey.of("pcie.link", Tier.SLOW);
    /** Whether MIG is on; nvmlDeviceGetMigMode. */
    public static final ReadingKey<Mode> MIG_MODE = ReadingKey.of("mig.mode", Tier.SLOW);
    /** GPU instances, compute instances, and what still fits; nvmlDeviceGetGpuInstances and its siblings. */
    public static final ReadingKey<MigView> MIG = ReadingKey.of("mig", Tier.SLOW);
    /** Memory errors by MIG device; nvmlDeviceGetMemoryErrorCounter of each. Empty while MIG is off. */
    public static final ReadingKey<List<MigDeviceErrors>> MIG_ERRORS = ReadingKey.of("mig.errors", Tier.SLOW);
    /** Whether the driver stays loaded without clients; nvmlDeviceGetPersistenceMode. */
    public static final ReadingKey<Boolean> PERSISTENCE_MODE = ReadingKey.of("persistence_mode", Tier.SLOW);
    /** Who may open contexts; nvmlDeviceGetComputeMode. */
    public static final ReadingKey<String> COMPUTE_MODE = ReadingKey.of("compute_mode", Tier.SLOW);

    /** Spare rows left; nvmlDeviceGetRowRemapperHistogram. */
    public static final ReadingKey<SpareRowBanks> SPARE_ROW_BANKS = ReadingKey.of("spare_row_banks", Tier.SLOW);
    /** Errors in SRAM; nvmlDeviceGetSramEccErrorStatus. */
    public static final ReadingKey<SramErrors> SRAM_ERRORS = ReadingKey.of("sram_errors", Tier.SLOW);
    /** Repairs that wait for a reset; nvmlDeviceGetRepairStatus. */
    public static final ReadingKey<PendingRepairs> PENDING_REPAIRS = ReadingKey.of("pending_repairs", Tier.SLOW);
    /** How long clocks were held down; fields 75, 270 and 271. */
    public static final ReadingKey<SlowdownTimes> SLOWDOWN_TIMES = ReadingKey.of("slowdown_times", Tier.SLOW);
    /** PCIe replays since the driver was loaded; nvmlDeviceGetPcieReplayCounter. */
    public static final ReadingKey<Long> PCIE_REPLAYS = ReadingKey.of("pcie.replays", Tier.SLOW);
    /** NVLinks; nvmlDeviceGetNvLinkState and nvmlDeviceGetNvLinkErrorCounter of each. */
    public static final ReadingKey<List<NvLinkState>> NVLINKS = ReadingKey.of("nvlinks", Tier.SLOW);
    /** Place in an NVSwitch fabric; nvmlDeviceGetGpuFabricInfoV. */
    public static final ReadingKey<FabricMembership> FABRIC = ReadingKey.of("fabric", Tier.SLOW);

    private static final Map<ClockDomain, ReadingKey<Long>> CLOCKS = new EnumMap<>(ClockDomain.class);
    private static final Map<ClockDomain, ReadingKey<Long>> CLOCKS_MAX = new EnumMap<>(ClockDomain.class);
    private static final Map<TemperatureThreshold, ReadingKey<Integer>> THRESHOLDS =
            new EnumMap<>(TemperatureThreshold.class);
    private static final Map<ProcessType, ReadingKey<List<GpuProcess>>> PROCESSES = new EnumMap<>(ProcessType.class);
    private static final Map<EccCounter, ReadingKey<Long>> ECC = new HashMap<>();

    static {
        for (ClockDomain domain : ClockDomain.values()) {
            CLOCKS.put(domain, ReadingKey.of("clock." + domain.label(), Tier.FAST));
            CLOCKS_MAX.put(domain, ReadingKey.of("clock.max." + domain.label(), Tier.STATIC));
        }
        for (TemperatureThreshold threshold : TemperatureThreshold.values()) {
            THRESHOLDS.put(threshold, ReadingKey.of("temperature.threshold." + threshold.label(), Tier.STATIC));
        }
        for (ProcessType type : ProcessType.values()) {
            PROCESSES.put(type, ReadingKey.of("processes." + type.label(), Tier.FAST));
        }
        for (EccCounter.Severity severity : EccCounter.Severity.values()) {
            for (EccCounter.Scope scope : EccCounter.Scope.values()) {
                String since = scope == EccCounter.Scope.LIFETIME ? "ecc.lifetime." : "ecc.";
                ECC.put(new EccCounter(severity, scope), ReadingKey.of(since + severity.label(), Tier.SLOW));
            }
        }
    }

    /** All keys, in the order of their declaration. */
    public static final List<ReadingKey<?>> ALL = ReadingKey.all();

    private ReadingKeys() {}

    /**
     * A clock's frequency now, hertz; nvmlDeviceGetClockInfo.
     *
     * @param domain which clock
     * @return the key
     */
    public static ReadingKey<Long> clock(ClockDomain domain) {
        return of(CLOCKS, domain);
    }

    /**
     * A clock's highest frequency, hertz; nvmlDeviceGetMaxClockInfo.
     *
     * @param domain which clock
     * @return the key
     */
    public static ReadingKey<Long> clockMax(ClockDomain domain) {
        return of(CLOCKS_MAX, domain);
    }

    /**
     * A temperature threshold, degrees Celsius; nvmlDeviceGetTemperatureThreshold.
     *
     * @param threshold which one
     * @return the key
     */
    public static ReadingKey<Integer> threshold(TemperatureThreshold threshold) {
        return of(THRESHOLDS, threshold);
    }

    /**
     * Processes on the GPU; nvmlDeviceGet{Compute,Graphics,MPSCompute}RunningProcesses.
     *
     * @param type which list
     * @return the key
     */
    public static ReadingKey<List<GpuProcess>> processes(ProcessType type) {
        return of(PROCESSES, type);
    }

    /**
     * A total of memory errors; nvmlDeviceGetTotalEccErrors.
     *
     * @param counter which total
     * @return the key
     */
    public static ReadingKey<Long> ecc(EccCounter counter) {
        return of(ECC, counter);
    }

    private static <K, T> ReadingKey<T> of(Map<K, ReadingKey<T>> keys, K part) {
        ReadingKey<T> key = keys.get(part);
        if (key == null) {
            throw new IllegalStateException("no key for " + part);
        }
        return key;
    }
}
