// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.sim.SimulatedProcess.Kind;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** MIG on the simulated H200, by the functions of the library alone. */
class MigIT {
    private static final int P_1G = 19;
    private static final int P_1G_ME = 20;
    private static final int P_1G_DOUBLE = 15;
    private static final int P_2G = 14;
    private static final int P_3G = 9;
    private static final int P_4G = 5;
    private static final int P_7G = 0;
    private static final long MIB = 1L << 20;

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), time);
    private final RawNvml nvml = new RawNvml(driver);
    private final RawMig mig = new RawMig(nvml, 0);
    private final SimulatedMig outside = driver.gpu(0).mig();

    @BeforeEach
    void init() {
        nvml.call("nvmlInit_v2");
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void profilesAndPlacementsAreToldWithTheModeOff() {
        Guarded v1 = nvml.struct("nvmlGpuInstanceProfileInfo_t");
        Guarded v2 = nvml.struct("nvmlGpuInstanceProfileInfo_v2_t").with("version", 152 | 2 << 24);
        Guarded v3 = nvml.struct("nvmlGpuInstanceProfileInfo_v3_t").with("version", 152 | 3 << 24);
        long device = nvml.device(0);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", device, 7, v1))
                .isZero();
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", device, 7, v2))
                .isZero();
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfoByIdV", device, P_1G_ME, v3))
                .isZero();
        for (Guarded info : List.of(v1, v2, v3)) {
            assertThat(info.get("id")).isEqualTo(P_1G_ME);
            assertThat(info.get("ofaCount")).isEqualTo(1);
            assertThat(info.get("memorySizeMB")).isEqualTo(16384);
        }
        assertThat(v2.text("name")).isEqualTo("MIG 1g.18gb+me");
        assertThat(v3.text("name")).as("captured on an H200").isEmpty();
        assertThat(v3.get("version")).as("captured on an H200").isZero();
        assertThat(v3.get("capabilities")).isZero();

        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", device, 5, v1))
                .isEqualTo(Code.NOT_SUPPORTED);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfo", device, 17, v1))
                .isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceProfileInfoV", device, 0, v2.with("version", 152 | 9 << 24)))
                .isEqualTo(Code.ARGUMENT_VERSION_MISMATCH);

        Guarded count = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetGpuInstancePossiblePlacements_v2", device, P_3G, null, count))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(2);
        Guarded placements = nvml.structs("nvmlGpuInstancePlacement_t", 2);
        assertThat(nvml.call("nvmlDeviceGetGpuInstancePossiblePlacements_v2", device, P_3G, placements, count))
                .isZero();
        assertThat(placements.get("start", 1)).isEqualTo(4);
        assertThat(placements.get("size", 1)).isEqualTo(4);
    }

    @Test
    void withTheModeOffThereIsNothingToCreate() {
        Guarded handle = nvml.bytes(8);
        Guarded count = nvml.bytes(4).setInt(0, 9);
        assertThat(mig.create(P_1G, handle)).isEqualTo(Code.NOT_SUPPORTED);
        // As captured: to ask is not refused.
        assertThat(nvml.call("nvmlDeviceGetGpuInstances", nvml.device(0), P_1G, handle, count))
                .isZero();
        assertThat(count.getInt(0)).isZero();
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", nvml.device(0), 0, handle))
                .isEqualTo(Code.NOT_FOUND);
        assertThat(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", nvml.device(0), 0, handle))
                .isEqualTo(Code.NOT_FOUND);
        assertThat(nvml.integer("nvmlDeviceGetMaxMigDeviceCount", 0)).isZero();
    }

    @Test
    void theModeComesAtOnceWhereNobodyIsInTheWay() {
        assertThat(mig.mode(1)).isZero();

        assertThat(mig.modes()).isEqualTo("1/1");
        assertThat(nvml.integer("nvmlDeviceGetMaxMigDeviceCount", 0)).isEqualTo(7);
        assertThat(mig.mode(2)).isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void whoeverHoldsTheGpuLeavesTheModePending() {
        try (MigHolder monitor = outside.hold()) {
            assertThat(monitor).isNotNull();
            assertThat(mig.mode(1)).isEqualTo(Code.IN_USE);
            assertThat(mig.modes()).isEqualTo("0/1");
        }
        assertThat(mig.mode(1)).isZero();
        assertThat(mig.modes()).isEqualTo("1/1");

        // GPU 1 has processes of its own.
        assertThat(new RawMig(nvml, 1).mode(1)).isEqualTo(Code.IN_USE);
    }

    @Test
    void inAVirtualMachineTheModeWaitsForItsReboot() {
        outside.refuseActivation(OptionalInt.of(16));

        assertThat(mig.mode(1)).isEqualTo(16);
        assertThat(mig.modes()).isEqualTo("0/1");
    }

    @Test
    void layoutOfThePublicCaptureIsBuiltWithItsIds() {
        mig.mode(1);
        long half = mig.created(P_3G, 4, 4);
        long quarter = mig.created(P_2G, 0, 2);
        long eighth = mig.created(P_1G, 2, 1);
        long last = mig.created(P_1G, 3, 1);
        mig.createdCompute(half, 0);
        mig.createdCompute(half, 1);
        mig.createdCompute(quarter, 1);
        mig.createdCompute(eighth, 0);
        mig.createdCompute(last, 0);

        assertThat(List.of(mig.id(half), mig.id(quarter), mig.id(eighth), mig.id(last)))
                .containsExactly(2, 3, 9, 10);
        assertThat(outside.layout())
                .containsExactly("2g.35gb@0", "1g.18gb@2", "1g.18gb@3", "3g.71gb@4{1c.3g.71gb@2,2c.3g.71gb@0}");
        List<Integer> multiprocessors = mig.devices().stream()
                .filter(device -> device != 0)
                .map(this::multiprocessors)
                .toList();
        assertThat(multiprocessors).containsExactly(16, 32, 32, 16, 16);
    }

    private int multiprocessors(long device) {
        Guarded attributes = nvml.struct("nvmlDeviceAttributes_t");
        assertThat(nvml.call("nvmlDeviceGetAttributes_v2", device, attributes)).isZero();
        return (int) attributes.get("multiprocessorCount");
    }

    @Test
    void onSomeBoardsTheHalvesAreNumberedTheOtherWayRound() {
        outside.setInstanceIds(SimulatedMig.InstanceIds.SWAPPED);
        mig.mode(1);

        assertThat(mig.id(mig.created(P_1G, 0, 1))).isEqualTo(11);
        assertThat(mig.id(mig.created(P_1G, 1, 1))).isEqualTo(12);
        assertThat(mig.id(mig.created(P_2G, 2, 2))).isEqualTo(6);
        assertThat(mig.id(mig.created(P_3G, 4, 4))).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        mig.mode(1);
        Guarded handle = nvml.bytes(8);
        mig.created(P_1G, 0, 1);

        assertThat(mig.create(P_4G, 0, 4, handle)).as("overlap").isEqualTo(Code.INSUFFICIENT_RESOURCES);
        assertThat(mig.create(P_7G, handle)).as("no place left").isEqualTo(Code.INSUFFICIENT_RESOURCES);
        assertThat(mig.create(P_3G, 2, 4, handle)).as("no such place").isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(mig.create(3, handle)).as("no such profile").isEqualTo(Code.INVALID_ARGUMENT);
        mig.created(P_1G_ME, 1, 1);
        assertThat(mig.create(P_1G_ME, handle)).as("its engines are taken").isEqualTo(Code.INSUFFICIENT_RESOURCES);
        assertThat(handle.isUntouched()).isTrue();

        assertThat(mig.capacity(P_1G)).isEqualTo(5);
        assertThat(mig.capacity(P_1G_DOUBLE)).isEqualTo(3);
        assertThat(mig.capacity(P_2G)).isEqualTo(2);
        assertThat(mig.capacity(P_3G)).isEqualTo(1);
        assertThat(mig.capacity(P_4G)).isZero();
        assertThat(mig.capacity(P_1G_ME)).isZero();
    }

    @Test
    void withoutAPlaceTheDriverTakesTheLastOrTheFirst() {
        mig.mode(1);
        Guarded handle = nvml.bytes(8);
        for (int profile : new int[] {P_1G, P_2G, P_4G}) {
            assertThat(mig.create(profile, handle)).isZero();
        }
        assertThat(outside.layout()).containsExactly("4g.71gb@0{}", "2g.35gb@4{}", "1g.18gb@6{}");

        SimulatedMig other = driver.gpu(1).mig();
        driver.gpu(1).setProcesses(List.of());
        other.setPlacing(SimulatedMig.Placing.FIRST_START);
        other.setMode(true);
        RawMig otherMig = new RawMig(nvml, 1);
        for (int profile : new int[] {P_1G, P_1G, P_2G, P_3G}) {
            assertThat(otherMig.create(profile, handle)).isZero();
        }
        assertThat(other.layout()).containsExactly("1g.18gb@0{}", "1g.18gb@1{}", "2g.35gb@2{}", "3g.71gb@4{}");
    }

    @Test
    void onlyTheFirstInstanceNeedsAnIdleGpu() {
        mig.mode(1);
        Guarded handle = nvml.bytes(8);
        try (MigHolder profiler = outside.hold()) {
            assertThat(profiler).isNotNull();
            assertThat(mig.create(P_1G, handle)).isEqualTo(Code.IN_USE);
        }
        assertThat(mig.create(P_1G, handle)).isZero();
        try (MigHolder profiler = outside.hold()) {
            assertThat(profiler).isNotNull();
            assertThat(mig.create(P_1G, handle)).isZero();
        }
    }

    @Test
    void whatIsUsedIsNotDestroyed() {
        mig.mode(1);
        long instance = mig.created(P_3G, 0, 4);
        long compute = mig.createdCompute(instance, 2);
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isEqualTo(Code.IN_USE);

        driver.gpu(0).setProcesses(List.of(new SimulatedProcess(5_000_001, Kind.COMPUTE, 512 * MIB, 1, 0)));
        assertThat(nvml.call("nvmlComputeInstanceDestroy", compute)).isEqualTo(Code.IN_USE);

        driver.gpu(0).setProcesses(List.of());
        MigHolder monitor = outside.hold(1, 0);
        assertThat(nvml.call("nvmlComputeInstanceDestroy", compute)).isEqualTo(Code.IN_USE);
        monitor.close();
        assertThat(nvml.call("nvmlComputeInstanceDestroy", compute)).isZero();

        MigHolder kernel = outside.hold(1);
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isEqualTo(Code.IN_USE);
        kernel.close();
        driver.gpu(0).answerTimes("nvmlGpuInstanceDestroy", Code.IN_USE, 2);
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isEqualTo(Code.IN_USE);
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isEqualTo(Code.IN_USE);
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isZero();
        assertThat(driver.calls().of("nvmlGpuInstanceDestroy", 0)).isEqualTo(5);
    }

    @Test
    void handlesDieWithWhatTheyStandFor() {
        mig.mode(1);
        long instance = mig.created(P_1G, 6, 1);
        long compute = mig.createdCompute(instance, 0);
        long device = mig.devices().getFirst();
        Guarded info = nvml.struct("nvmlGpuInstanceInfo_t");
        assertThat(nvml.call("nvmlComputeInstanceDestroy", compute)).isZero();
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isZero();

        assertThat(nvml.call("nvmlGpuInstanceGetInfo", instance, info)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlComputeInstanceDestroy", compute)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlDeviceGetUUID", device, nvml.bytes(96), 96)).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(nvml.call("nvmlGpuInstanceGetInfo", nvml.device(0), info)).isEqualTo(Code.INVALID_ARGUMENT);

        driver.reuseHandles(true);
        assertThat(mig.created(P_3G, 0, 4)).isIn(instance, compute, device);
    }

    @Test
    void instancesAreFoundByProfileIdAndIndex() {
        mig.mode(1);
        long one = mig.created(P_1G, 6, 1);
        long two = mig.created(P_1G, 0, 1);
        Guarded handles = nvml.bytes(7 * 8);
        Guarded count = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetGpuInstances", nvml.device(0), P_1G, handles, count))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(2);
        assertThat(handles.getLong(0)).isEqualTo(two);
        assertThat(handles.getLong(8)).isEqualTo(one);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", nvml.device(0), 13, handles))
                .isZero();
        assertThat(handles.getLong(0)).isEqualTo(one);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", nvml.device(0), 8, handles))
                .isEqualTo(Code.NOT_FOUND);

        long compute = mig.createdCompute(one, 0);
        Guarded info = nvml.struct("nvmlComputeInstanceInfo_t");
        assertThat(nvml.call("nvmlComputeInstanceGetInfo_v2", compute, info)).isZero();
        assertThat(info.get("device")).isEqualTo(mig.devices().getFirst());
        assertThat(info.get("gpuInstance")).isEqualTo(one);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceById", one, 0, handles))
                .isZero();
        assertThat(handles.getLong(0)).isEqualTo(compute);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstances", one, 0, handles, count))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(1);
    }

    @Test
    void indicesHaveHolesUntilTheNextSession() {
        mig.mode(1);
        for (int start = 0; start < 3; start++) {
            mig.createdCompute(mig.created(P_1G, start, 1), 0);
        }
        List<Long> before = mig.devices();
        outside.destroy(8);

        assertThat(mig.devices()).containsExactly(before.get(0), 0L, before.get(2), 0L, 0L, 0L, 0L);
        nvml.call("nvmlShutdown");
        nvml.call("nvmlInit_v2");
        assertThat(mig.devices()).containsExactly(before.get(0), before.get(2), 0L, 0L, 0L, 0L, 0L);
    }

    @Test
    void longLivedLibrariesListWhatIsGone() {
        mig.mode(1);
        mig.createdCompute(mig.created(P_1G, 6, 1), 0);
        outside.keepStaleDevices(true);
        outside.destroy(13);

        long stale = mig.devices().getFirst();
        Guarded id = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceId", stale, id)).isZero();
        assertThat(id.getInt(0)).isEqualTo(13);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", nvml.device(0), 13, nvml.bytes(8)))
                .isEqualTo(Code.NOT_FOUND);

        nvml.call("nvmlShutdown");
        nvml.call("nvmlInit_v2");
        assertThat(mig.devices()).containsOnly(0L);
    }

    @Test
    void aDestructionCanBeALie() {
        mig.mode(1);
        long instance = mig.created(P_1G, 6, 1);
        outside.leaveRemnants(1);

        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isZero();
        assertThat(outside.layout()).containsExactly("1g.18gb@6{}");
        assertThat(nvml.call("nvmlGpuInstanceDestroy", instance)).isZero();
        assertThat(outside.layout()).isEmpty();
    }

    @Test
    void aMigDeviceKnowsWhoItIsAndLittleElse() {
        mig.mode(1);
        long instance = mig.created(P_3G, 4, 4);
        mig.createdCompute(instance, 1);
        long device = mig.devices().getFirst();
        String uuid = mig.uuid(device);
        assertThat(uuid).matches("MIG-[0-9a-f]{8}-[0-9a-f-]{27}");
        Guarded out = nvml.bytes(96);
        for (String name : List.of(uuid, "MIG-" + driver.gpu(0).uuid() + "/2/0")) {
            assertThat(nvml.call("nvmlDeviceGetHandleByUUID", nvml.text(name), out))
                    .isZero();
            assertThat(out.getLong(0)).isEqualTo(device);
        }
        assertThat(nvml.call("nvmlDeviceGetName", device, out, 96)).isZero();
        assertThat(out.text()).isEqualTo("NVIDIA H200 MIG 2c.3g.71gb");
        assertThat(nvml.call("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", device, out))
                .isZero();
        assertThat(out.getLong(0)).isEqualTo(nvml.device(0));
        assertThat(nvml.call("nvmlDeviceIsMigDeviceHandle", device, out)).isZero();
        assertThat(out.getInt(0)).isEqualTo(1);
        assertThat(nvml.call("nvmlDeviceGetPowerUsage", device, out)).isEqualTo(Code.NOT_SUPPORTED);
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceId", nvml.device(0), out)).isEqualTo(Code.INVALID_ARGUMENT);

        outside.destroy(2);
        outside.create("3g.71gb", 4, "2c.3g.71gb");
        assertThat(mig.uuid(mig.devices().getFirst()))
                .as("made anew at the same place")
                .isEqualTo(uuid);
    }

    @Test
    void memoryAndProcessesAreToldByInstanceAndTogether() {
        outside.setMode(true);
        outside.create("3g.71gb", 4, "1c.3g.71gb", "1c.3g.71gb");
        outside.create("1g.18gb", 0, "1g.18gb");
        driver.gpu(0)
                .setProcesses(List.of(
                        new SimulatedProcess(5_000_001, Kind.COMPUTE, 2048 * MIB, 2, 1),
                        new SimulatedProcess(5_000_002, Kind.MPS, 1024 * MIB, 2, 0)));
        Guarded memory = nvml.struct("nvmlMemory_v2_t").with("version", 40 | 2 << 24);
        long idleSlice = 8_650_752;
        List<Long> devices = mig.devices();
        for (long device : devices.subList(0, 2)) {
            assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", device, memory)).isZero();
            assertThat(memory.get("total")).isEqualTo(71_424 * MIB);
            assertThat(memory.get("used")).isEqualTo(3072 * MIB + 4 * idleSlice);
            assertThat(memory.get("reserved")).isZero();
        }
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", devices.get(2), memory))
                .isZero();
        assertThat(memory.get("used")).isEqualTo(idleSlice);
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(0), memory))
                .isZero();
        assertThat(memory.get("used")).isEqualTo(3072 * MIB + 5 * idleSlice);

        Guarded count = nvml.bytes(4).setInt(0, 4);
        Guarded processes = nvml.structs("nvmlProcessInfo_v2_t", 4);
        assertThat(nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", nvml.device(0), count, processes))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(2);
        assertThat(processes.get("gpuInstanceId")).isEqualTo(2);
        assertThat(processes.get("computeInstanceId")).isEqualTo(1);
        assertThat(nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", devices.get(0), count, processes))
                .isZero();
        // A client of MPS is in this list too: captured on an H200, driver 580.159.04.
        assertThat(count.getInt(0)).isEqualTo(1);
        assertThat(processes.get("computeInstanceId")).isZero();
        count.setInt(0, 4);
        assertThat(nvml.call("nvmlDeviceGetMPSComputeRunningProcesses_v3", devices.get(0), count, processes))
                .isZero();
        assertThat(count.getInt(0)).isEqualTo(1);
    }

    @Test
    void theWholeGpuDrawsThePowerOfItsInstances() {
        outside.setMode(true);
        outside.create("3g.71gb", 4, "3g.71gb");
        int idle = nvml.integer("nvmlDeviceGetPowerUsage", 0);
        outside.setUtilization(2, 0, 100);

        assertThat(nvml.integer("nvmlDeviceGetPowerUsage", 0)).isBetween(idle + 200_000, 500_000);
        assertThat(nvml.call("nvmlDeviceGetUtilizationRates", nvml.device(0), nvml.struct("nvmlUtilization_t")))
                .isEqualTo(Code.NOT_SUPPORTED);
        Guarded rows = nvml.bytes(4);
        assertThat(nvml.call("nvmlDeviceGetRemappedRows", nvml.device(0), rows, rows, rows, rows))
                .isEqualTo(Code.NOT_SUPPORTED);
        assertThat(outside.layout()).containsExactly("3g.71gb@4");
    }

    @Test
    void doubleMemoryHasTwoKindsOfComputeInstances() {
        mig.mode(1);
        long instance = mig.created(P_1G_DOUBLE, 0, 2);
        Guarded info = nvml.struct("nvmlComputeInstanceProfileInfo_v2_t").with("version", 136 | 2 << 24);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", instance, 0, 0, info))
                .isZero();
        assertThat(info.get("multiprocessorCount")).isEqualTo(16);
        assertThat(info.text("name")).isEqualTo("MIG 1c.1g.35gb");
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", instance, 7, 0, info))
                .isZero();
        assertThat(info.get("multiprocessorCount")).isEqualTo(26);
        assertThat(info.text("name")).isEqualTo("MIG 1g.35gb");
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", instance, 1, 0, info))
                .isEqualTo(Code.NOT_SUPPORTED);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceProfileInfoV", instance, 8, 0, info))
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void computeInstancesShareTheirGpuInstance() {
        mig.mode(1);
        long instance = mig.created(P_3G, 0, 4);
        Guarded out = nvml.bytes(8);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstancePossiblePlacements", instance, 0, null, out))
                .isZero();
        assertThat(out.getInt(0)).isEqualTo(3);
        assertThat(nvml.call("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", instance, 0, out))
                .isZero();
        assertThat(out.getInt(0)).isEqualTo(3);
        Guarded place =
                nvml.struct("nvmlComputeInstancePlacement_t").with("start", 1).with("size", 1);
        assertThat(nvml.call("nvmlGpuInstanceCreateComputeInstanceWithPlacement", instance, 0, place, out))
                .isZero();
        assertThat(nvml.call("nvmlGpuInstanceCreateComputeInstance", instance, 1, out))
                .isEqualTo(Code.INSUFFICIENT_RESOURCES);
        mig.createdCompute(instance, 0);
        mig.createdCompute(instance, 0);
        assertThat(nvml.call("nvmlGpuInstanceCreateComputeInstance", instance, 0, out))
                .isEqualTo(Code.INSUFFICIENT_RESOURCES);
        assertThat(outside.layout()).containsExactly("3g.71gb@0{1c.3g.71gb@1,1c.3g.71gb@2,1c.3g.71gb@0}");
    }

    @Test
    void whoMayNotIsToldSo() {
        outside.setMode(true);
        outside.create("1g.18gb", 0, "1g.18gb");
        long device = mig.devices().getFirst();
        driver.grant(Set.of(Privilege.MIG_MONITOR));
        Guarded out = nvml.bytes(8);
        assertThat(mig.create(P_1G, out)).isEqualTo(Code.NO_PERMISSION);
        assertThat(mig.mode(0)).isEqualTo(Code.NO_PERMISSION);
        assertThat(mig.capacity(P_1G)).isEqualTo(6);

        driver.grant(Set.of());
        assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", nvml.device(0), 7, out))
                .isEqualTo(Code.NO_PERMISSION);
        Guarded memory = nvml.struct("nvmlMemory_t");
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo", nvml.device(0), memory)).isEqualTo(Code.NO_PERMISSION);
        assertThat(nvml.call("nvmlDeviceGetMemoryInfo", device, memory)).isEqualTo(Code.NO_PERMISSION);
        assertThat(mig.uuid(device)).startsWith("MIG-");
    }

    @Test
    void afterARebootAHopperHasForgottenItAll() {
        outside.setMode(true);
        outside.create("1g.18gb", 0, "1g.18gb");
        driver.reboot();
        assertThat(nvml.call("nvmlDeviceGetCount_v2", nvml.bytes(4))).isEqualTo(Code.UNINITIALIZED);

        nvml.call("nvmlInit_v2");
        assertThat(mig.modes()).isEqualTo("0/0");
        assertThat(outside.layout()).isEmpty();
    }

    @Test
    void aResetBringsThePendingMode() {
        MigHolder monitor = outside.hold();
        assertThat(mig.mode(1)).isEqualTo(Code.IN_USE);
        monitor.close();
        outside.reset();
        assertThat(mig.modes()).isEqualTo("1/1");
    }
}
