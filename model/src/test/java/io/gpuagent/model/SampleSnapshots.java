// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import io.gpuagent.model.mig.MigView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/** Node snapshots as tests need them; the values are those of a real H200 under driver 580.159.04. */
public final class SampleSnapshots {
    /** When the snapshots were taken, by the time of day. */
    public static final Instant TAKEN_AT = Instant.parse("2026-12-01T03:21:40.250Z");
    /** When the snapshots were taken, by the monotonic clock. */
    public static final long TAKEN_AT_NANOS = Duration.ofMinutes(5).toNanos();

    private static final long MIB = 1024 * 1024;
    private static final long MHZ = 1_000_000;
    private static final long FAST_READ =
            TAKEN_AT_NANOS - Duration.ofMillis(250).toNanos();
    private static final long SLOW_READ = TAKEN_AT_NANOS - Duration.ofSeconds(7).toNanos();
    private static final long STATIC_READ = Duration.ofSeconds(1).toNanos();

    private SampleSnapshots() {}

    /**
     * Healthy H200s; the first idles, each of the others runs one process.
     *
     * @param count how many GPUs
     * @return the snapshot
     */
    public static NodeSnapshot h200(int count) {
        return node(
                driverUp(),
                IntStream.range(0, count).mapToObj(SampleSnapshots::h200Gpu).toList());
    }

    /**
     * A node whose NVML library and kernel module are of different versions.
     *
     * @return the snapshot
     */
    public static NodeSnapshot driverDown() {
        AgentFigures agent = new AgentFigures(
                "0.1.0",
                false,
                PollIntervals.DEFAULT,
                List.of(new AgentFigures.CallCount("nvmlInit_v2", "NVML_ERROR_LIB_RM_VERSION_MISMATCH", 4)),
                List.of(),
                List.of());
        DriverState down = new DriverState.Down(
                DriverState.Reason.VERSION_MISMATCH,
                "The NVML library is newer than the loaded kernel module; reload the module or reboot.",
                "NVML_ERROR_LIB_RM_VERSION_MISMATCH");
        return new NodeSnapshot(17, TAKEN_AT_NANOS, TAKEN_AT, down, List.of(), agent);
    }

    /**
     * Two H200s, of which the second has not answered for two minutes: a power call hangs, and its readings are aged.
     *
     * @return the snapshot
     */
    public static NodeSnapshot unresponsive() {
        NodeSnapshot healthy = h200(2);
        long before = Duration.ofMinutes(2).toNanos();
        GpuSnapshot hung = healthy.gpus().get(1);
        GpuSnapshot aged = new GpuSnapshot(
                hung.identity(),
                new GpuCondition(
                        GpuCondition.State.UNRESPONSIVE, "nvmlDeviceGetPowerUsage has not returned for 120 s."),
                hung.readings().agedTo(TAKEN_AT_NANOS + before, PollIntervals.DEFAULT, Absence.UNRESPONSIVE));
        AgentFigures figures = healthy.agent();
        List<AgentFigures.Poll> polls = figures.polls().stream()
                .map(poll -> poll.gpu().index() == 1 && poll.tier() != Tier.STATIC
                        ? new AgentFigures.Poll(
                                poll.gpu(),
                                poll.tier(),
                                poll.lastSuccess().map(time -> time.minusNanos(before)),
                                poll.lastSeconds())
                        : poll)
                .toList();
        AgentFigures agent = new AgentFigures(
                figures.version(),
                figures.simulated(),
                figures.intervals(),
                figures.calls(),
                List.of(new AgentFigures.InFlight("1", "nvmlDeviceGetPowerUsage", 120)),
                polls);
        return new NodeSnapshot(
                healthy.generation(),
                healthy.takenAtNanos(),
                healthy.takenAt(),
                healthy.driver(),
                List.of(healthy.gpus().get(0), aged),
                agent);
    }

    /**
     * An H200 in MIG mode with busy instances; see {@link SampleMig}.
     *
     * @return the snapshot
     */
    public static NodeSnapshot migOn() {
        NodeSnapshot node = migEmpty();
        node = with(node, 0, ReadingKeys.MIG, Reading.of(SampleMig.CUT_UP, SLOW_READ));
        node = with(node, 0, ReadingKeys.MIG_MEMORY, Reading.of(SampleMig.memory(FAST_READ), FAST_READ));
        node = with(node, 0, ReadingKeys.MIG_ERRORS, Reading.of(SampleMig.errors(SLOW_READ), SLOW_READ));
        return with(node, 0, ReadingKeys.processes(ProcessType.COMPUTE), Reading.of(SampleMig.processes(), FAST_READ));
    }

    /**
     * An H200 in MIG mode that is not cut up, which has no utilization of the whole GPU all the same.
     *
     * @return the snapshot
     */
    public static NodeSnapshot migEmpty() {
        NodeSnapshot node = h200(1);
        node = with(node, 0, ReadingKeys.MIG_MODE, Reading.of(new Mode(true, true), SLOW_READ));
        node = with(node, 0, ReadingKeys.MIG, Reading.of(SampleMig.EMPTY, SLOW_READ));
        node = with(node, 0, ReadingKeys.UTILIZATION, notSupported(FAST_READ));
        node = with(node, 0, ReadingKeys.UTILIZATION_ENCODER, notSupported(FAST_READ));
        return with(node, 0, ReadingKeys.UTILIZATION_DECODER, notSupported(FAST_READ));
    }

    /**
     * An H200 in MIG mode whose instances the agent's user may not list.
     *
     * @return the snapshot
     */
    public static NodeSnapshot migForbidden() {
        NodeSnapshot node = migEmpty();
        node = with(node, 0, ReadingKeys.MIG, noPermission(SLOW_READ));
        node = with(node, 0, ReadingKeys.MIG_MEMORY, noPermission(FAST_READ));
        return with(node, 0, ReadingKeys.MIG_ERRORS, noPermission(SLOW_READ));
    }

    private static <T> Reading<T> noPermission(long at) {
        return Reading.absent(Absence.NO_PERMISSION, "NVML_ERROR_NO_PERMISSION", at);
    }

    /**
     * A workstation card under an older driver: no ECC, no MIG, no memory temperature, version 1 of the memory call, and
     * sentinels where a server card has values.
     *
     * @return the snapshot
     */
    public static NodeSnapshot workstation() {
        GpuIdentity identity = identity(0);
        Readings readings = h200Gpu(0).readings().toBuilder()
                .put(ReadingKeys.NAME, Reading.of("NVIDIA GeForce RTX 4080 SUPER", STATIC_READ))
                .put(ReadingKeys.ARCHITECTURE, Reading.of("Ada", STATIC_READ))
                .put(ReadingKeys.COMPUTE_CAPABILITY, Reading.of("8.9", STATIC_READ))
                .put(ReadingKeys.CORES, Reading.of(10240, STATIC_READ))
                .put(ReadingKeys.SERIAL, notSupported(STATIC_READ))
                .put(ReadingKeys.BOARD_PART, notSupported(STATIC_READ))
                .put(ReadingKeys.CLOCK_REASONS_SUPPORTED, notSupported(STATIC_READ))
                .put(
                        ReadingKeys.UTILIZATION,
                        Reading.absent(Absence.OUT_OF_RANGE, "utilization 4294967295 %", FAST_READ))
                .put(
                        ReadingKeys.UTILIZATION_OFA,
                        Reading.absent(Absence.NO_SUCH_FUNCTION, "NVML_ERROR_FUNCTION_NOT_FOUND", FAST_READ))
                .put(
                        ReadingKeys.MEMORY,
                        Reading.of(new MemoryUse(16376 * MIB, 15761 * MIB, 615 * MIB, OptionalLong.empty()), FAST_READ))
                .put(ReadingKeys.TEMPERATURE_MEMORY, notSupported(FAST_READ))
                .put(ReadingKeys.POWER_INSTANT, Reading.absent(Absence.NOT_AVAILABLE, null, FAST_READ))
                .put(ReadingKeys.ECC_MODE, notSupported(SLOW_READ))
                .put(ReadingKeys.ROW_REMAP, notSupported(SLOW_READ))
                .put(ReadingKeys.SPARE_ROW_BANKS, notSupported(SLOW_READ))
                .put(ReadingKeys.SRAM_ERRORS, notSupported(SLOW_READ))
                .put(ReadingKeys.PENDING_REPAIRS, notSupported(SLOW_READ))
                .put(ReadingKeys.SLOWDOWN_TIMES, notSupported(SLOW_READ))
                .put(ReadingKeys.PCIE_REPLAYS, notSupported(SLOW_READ))
                .put(ReadingKeys.NVLINKS, notSupported(SLOW_READ))
                .put(ReadingKeys.FABRIC, notSupported(SLOW_READ))
                .put(ReadingKeys.MIG_MODE, notSupported(SLOW_READ))
                .put(ReadingKeys.MIG, notSupported(SLOW_READ))
                .put(ReadingKeys.MIG_MEMORY, notSupported(FAST_READ))
                .put(ReadingKeys.MIG_ERRORS, notSupported(SLOW_READ))
                .put(ReadingKeys.ENERGY, Reading.absent(Absence.NO_PERMISSION, "NVML_ERROR_NO_PERMISSION", SLOW_READ))
                .put(
                        ReadingKeys.processes(ProcessType.GRAPHICS),
                        Reading.of(List.of(process(2101), process(2254)), FAST_READ))
                .build();
        for (EccCounter.Severity severity : EccCounter.Severity.values()) {
            for (EccCounter.Scope scope : EccCounter.Scope.values()) {
                readings = readings.toBuilder()
                        .put(ReadingKeys.ecc(new EccCounter(severity, scope)), notSupported(SLOW_READ))
                        .build();
            }
        }
        return node(driverUp(), List.of(new GpuSnapshot(identity, GpuCondition.OK, readings)));
    }

    /**
     * A node on which the driver names the same GPU twice.
     *
     * @return the snapshot
     */
    public static NodeSnapshot sameGpuTwice() {
        return node(driverUp(), List.of(h200Gpu(0), h200Gpu(0)));
    }

    /**
     * H200s of which one has fallen off the bus: its identity is known from before, its readings are gone.
     *
     * @param count how many GPUs
     * @param lost the index of the lost one
     * @return the snapshot
     */
    public static NodeSnapshot oneLost(int count, int lost) {
        NodeSnapshot healthy = h200(count);
        List<GpuSnapshot> gpus = new ArrayList<>(healthy.gpus());
        Readings.Builder readings = gpus.get(lost).readings().toBuilder();
        for (ReadingKey<?> key : ReadingKeys.ALL) {
            if (key.tier() != Tier.STATIC) {
                lose(readings, key);
            }
        }
        gpus.set(
                lost,
                new GpuSnapshot(
                        identity(lost),
                        new GpuCondition(GpuCondition.State.LOST, "NVML_ERROR_GPU_IS_LOST"),
                        readings.build()));
        return new NodeSnapshot(
                healthy.generation(),
                healthy.takenAtNanos(),
                healthy.takenAt(),
                healthy.driver(),
                gpus,
                healthy.agent());
    }

    private static <T> void lose(Readings.Builder readings, ReadingKey<T> key) {
        readings.put(key, Reading.absent(Absence.GPU_LOST, "NVML_ERROR_GPU_IS_LOST", FAST_READ));
    }

    /**
     * A GPU under another index, as after a reboot.
     *
     * @param gpu the GPU
     * @param index its new index
     * @return the same GPU otherwise
     */
    public static GpuSnapshot renumbered(GpuSnapshot gpu, int index) {
        return new GpuSnapshot(new GpuIdentity(index, gpu.identity().uuid()), gpu.condition(), gpu.readings());
    }

    /**
     * A snapshot with one reading replaced.
     *
     * @param node the snapshot
     * @param gpu the GPU's place in its list
     * @param key which reading
     * @param reading what it is to be
     * @param <T> the reading's type
     * @return the new snapshot
     */
    public static <T> NodeSnapshot with(NodeSnapshot node, int gpu, ReadingKey<T> key, Reading<T> reading) {
        List<GpuSnapshot> gpus = new ArrayList<>(node.gpus());
        GpuSnapshot old = gpus.get(gpu);
        Readings readings = old.readings().toBuilder().put(key, reading).build();
        gpus.set(gpu, new GpuSnapshot(old.identity(), old.condition(), readings));
        return new NodeSnapshot(
                node.generation(), node.takenAtNanos(), node.takenAt(), node.driver(), gpus, node.agent());
    }

    private static NodeSnapshot node(DriverState driver, List<GpuSnapshot> gpus) {
        List<AgentFigures.Poll> polls = new ArrayList<>();
        for (GpuSnapshot gpu : gpus) {
            polls.add(poll(gpu, Tier.FAST, FAST_READ, 0.00012));
            polls.add(poll(gpu, Tier.SLOW, SLOW_READ, 0.0046));
            polls.add(poll(gpu, Tier.STATIC, STATIC_READ, 0.031));
        }
        AgentFigures agent = new AgentFigures(
                "0.1.0",
                true,
                PollIntervals.DEFAULT,
                List.of(
                        new AgentFigures.CallCount("nvmlInit_v2", "NVML_SUCCESS", 1),
                        new AgentFigures.CallCount("nvmlDeviceGetPowerUsage", "NVML_SUCCESS", 299L * gpus.size()),
                        new AgentFigures.CallCount("nvmlDeviceGetFanSpeed_v2", "NVML_ERROR_NOT_SUPPORTED", 1)),
                List.of(),
                polls);
        return new NodeSnapshot(299, TAKEN_AT_NANOS, TAKEN_AT, driver, gpus, agent);
    }

    private static AgentFigures.Poll poll(GpuSnapshot gpu, Tier tier, long atNanos, double seconds) {
        return new AgentFigures.Poll(
                gpu.identity(), tier, Optional.of(TAKEN_AT.minusNanos(TAKEN_AT_NANOS - atNanos)), seconds);
    }

    private static DriverState driverUp() {
        return new DriverState.Up("580.159.04", "13.580.159.04", "13.0", "simulation h200");
    }

    private static GpuIdentity identity(int index) {
        return new GpuIdentity(index, String.format(Locale.ROOT, "GPU-00000000-0000-0000-0000-%012d", index + 1));
    }

    private static GpuSnapshot h200Gpu(int index) {
        boolean busy = index > 0;
        Readings.Builder readings = Readings.EMPTY.toBuilder();
        putStatic(readings, index);
        putFast(readings, busy);
        putSlow(readings, busy);
        return new GpuSnapshot(identity(index), GpuCondition.OK, readings.build());
    }

    private static void putStatic(Readings.Builder readings, int index) {
        long at = STATIC_READ;
        readings.put(ReadingKeys.NAME, Reading.of("NVIDIA H200", at))
                .put(ReadingKeys.SERIAL, Reading.of(String.format(Locale.ROOT, "%013d", index + 1), at))
                .put(ReadingKeys.PCI, Reading.of(new PciAddress(0, 0, 6 + index), at))
                .put(ReadingKeys.MINOR, Reading.of(index, at))
                .put(ReadingKeys.ARCHITECTURE, Reading.of("Hopper", at))
                .put(ReadingKeys.COMPUTE_CAPABILITY, Reading.of("9.0", at))
                .put(ReadingKeys.CORES, Reading.of(16896, at))
                .put(ReadingKeys.VBIOS, Reading.of("96.00.A5.00.1A", at))
                .put(ReadingKeys.BOARD_PART, Reading.of("692-2G520-0282-001", at))
                .put(
                        ReadingKeys.CLOCK_REASONS_SUPPORTED,
                        Reading.of(Set.copyOf(EnumSet.complementOf(EnumSet.of(ClockEventReason.OTHER))), at))
                .put(ReadingKeys.PCIE_LINK_MAX, Reading.of(new PcieLink(5, 16), at))
                .put(ReadingKeys.POWER_LIMIT_DEFAULT, Reading.of(700.0, at))
                .put(ReadingKeys.POWER_LIMIT_RANGE, Reading.of(new PowerLimitRange(200, 700), at))
                .put(ReadingKeys.clockMax(ClockDomain.GRAPHICS), Reading.of(1980 * MHZ, at))
                .put(ReadingKeys.clockMax(ClockDomain.SM), Reading.of(1980 * MHZ, at))
                .put(ReadingKeys.clockMax(ClockDomain.MEMORY), Reading.of(3201 * MHZ, at))
                .put(ReadingKeys.clockMax(ClockDomain.VIDEO), Reading.of(1545 * MHZ, at))
                .put(ReadingKeys.threshold(TemperatureThreshold.SHUTDOWN), Reading.of(95, at))
                .put(ReadingKeys.threshold(TemperatureThreshold.SLOWDOWN), Reading.of(89, at))
                .put(ReadingKeys.threshold(TemperatureThreshold.MEMORY_MAX), Reading.of(95, at))
                .put(ReadingKeys.threshold(TemperatureThreshold.GPU_MAX), Reading.of(87, at));
    }

    private static void putFast(Readings.Builder readings, boolean busy) {
        long at = FAST_READ;
        long used = busy ? 64L * 1024 * MIB : 0;
        long reserved = 644_939_776;
        long total = 150_754_820_096L;
        readings.put(ReadingKeys.UTILIZATION, Reading.of(new UtilizationRates(busy ? 0.97 : 0, busy ? 0.41 : 0), at))
                .put(ReadingKeys.UTILIZATION_ENCODER, Reading.of(0.0, at))
                .put(ReadingKeys.UTILIZATION_DECODER, Reading.of(0.0, at))
                .put(ReadingKeys.UTILIZATION_JPEG, Reading.of(0.0, at))
                .put(ReadingKeys.UTILIZATION_OFA, Reading.of(0.0, at))
                .put(
                        ReadingKeys.MEMORY,
                        Reading.of(new MemoryUse(total, total - used - reserved, used, OptionalLong.of(reserved)), at))
                .put(ReadingKeys.TEMPERATURE_GPU, Reading.of(busy ? 61 : 35, at))
                .put(ReadingKeys.TEMPERATURE_MEMORY, Reading.of(busy ? 70 : 39, at))
                .put(ReadingKeys.POWER_AVERAGE, Reading.of(busy ? 612.4 : 77.58, at))
                .put(ReadingKeys.POWER_INSTANT, Reading.of(busy ? 655.1 : 77.8, at))
                .put(ReadingKeys.POWER_LIMIT_ENFORCED, Reading.of(700.0, at))
                .put(ReadingKeys.CLOCK_REASONS, Reading.of(busy ? Set.of() : Set.of(ClockEventReason.GPU_IDLE), at))
                .put(ReadingKeys.PSTATE, Reading.of(0, at))
                .put(ReadingKeys.MIG_MEMORY, Reading.of(List.of(), at))
                .put(ReadingKeys.clock(ClockDomain.GRAPHICS), Reading.of((busy ? 1980 : 345) * MHZ, at))
                .put(ReadingKeys.clock(ClockDomain.SM), Reading.of((busy ? 1980 : 345) * MHZ, at))
                .put(ReadingKeys.clock(ClockDomain.MEMORY), Reading.of(3201 * MHZ, at))
                .put(ReadingKeys.clock(ClockDomain.VIDEO), Reading.of((busy ? 1545 : 765) * MHZ, at))
                .put(
                        ReadingKeys.processes(ProcessType.COMPUTE),
                        Reading.of(busy ? List.of(process(4711)) : List.of(), at))
                .put(ReadingKeys.processes(ProcessType.GRAPHICS), Reading.of(List.of(), at))
                .put(ReadingKeys.processes(ProcessType.MPS), Reading.of(List.of(), at));
    }

    private static void putSlow(Readings.Builder readings, boolean busy) {
        long at = SLOW_READ;
        readings.put(ReadingKeys.ENERGY, Reading.of(busy ? 183_442.516 : 2606.881, at))
                .put(ReadingKeys.POWER_LIMIT_REQUESTED, Reading.of(700.0, at))
                .put(ReadingKeys.ECC_MODE, Reading.of(new Mode(true, true), at))
                .put(ReadingKeys.ROW_REMAP, Reading.of(new RowRemap(0, 0, false, false), at))
                // Captured on an H200, driver 580.159.04: all 3072 banks have all their spare rows.
                .put(ReadingKeys.SPARE_ROW_BANKS, Reading.of(new SpareRowBanks(3072, 0, 0, 0, 0), at))
                .put(ReadingKeys.SRAM_ERRORS, Reading.of(new SramErrors(0, 0, 0, false), at))
                .put(ReadingKeys.PENDING_REPAIRS, Reading.of(new PendingRepairs(false, false), at))
                .put(
                        ReadingKeys.SLOWDOWN_TIMES,
                        Reading.of(new SlowdownTimes(OptionalLong.of(0), OptionalLong.of(0), OptionalLong.of(0)), at))
                .put(ReadingKeys.PCIE_REPLAYS, Reading.of(0L, at))
                .put(
                        ReadingKeys.NVLINKS,
                        Reading.of(List.of(new NvLinkState(0, true, OptionalLong.of(0), OptionalLong.of(0))), at))
                .put(ReadingKeys.FABRIC, Reading.of(new FabricMembership(0, 0), at))
                .put(ReadingKeys.RECOVERY_ACTION, Reading.of(0, at))
                .put(ReadingKeys.PCIE_LINK, Reading.of(new PcieLink(5, 16), at))
                .put(ReadingKeys.MIG_MODE, Reading.of(new Mode(false, false), at))
                .put(ReadingKeys.MIG, Reading.of(MigView.off(false), at))
                .put(ReadingKeys.MIG_ERRORS, Reading.of(List.of(), at))
                .put(ReadingKeys.PERSISTENCE_MODE, Reading.of(true, at))
                .put(ReadingKeys.COMPUTE_MODE, Reading.of("default", at));
        for (EccCounter.Severity severity : EccCounter.Severity.values()) {
            for (EccCounter.Scope scope : EccCounter.Scope.values()) {
                readings.put(ReadingKeys.ecc(new EccCounter(severity, scope)), Reading.of(0L, at));
            }
        }
    }

    private static GpuProcess process(int pid) {
        return new GpuProcess(pid, OptionalLong.of(512 * MIB), OptionalInt.empty(), OptionalInt.empty());
    }

    private static <T> Reading<T> notSupported(long at) {
        return Reading.absent(Absence.NOT_SUPPORTED, "NVML_ERROR_NOT_SUPPORTED", at);
    }
}
