// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstance;
import io.gpuagent.nvml.GpuInstanceInfo;
import io.gpuagent.nvml.MigDevice;
import io.gpuagent.nvml.Mode;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.Placement;
import io.gpuagent.nvml.sim.MigHolder;
import io.gpuagent.nvml.sim.Privilege;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.Turns;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users of other tools met when they cut up GPUs: NVML's part of it, and that the binding tells it as it is. */
class MigReportsIT {
    private static final int P_1G = 19;
    private static final int P_3G = 9;

    private SimulatedDriver driver;
    private SimulatedMig outside;
    private Nvml nvml;
    private Gpu gpu;

    private void start(String profile) {
        driver = SimulatedDriver.start(SimProfile.parse(profile), () -> 0);
        driver.freeze();
        outside = driver.gpu(0).mig();
        nvml = Nvml.open(driver, CallObserver.NONE, () -> 0, Access.CONTROL).orThrow();
        gpu = nvml.gpu(0).orThrow();
    }

    private void startCutUp() {
        start("h200");
        outside.setMode(true);
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    // mig-parted #18, gpu-operator #603
    @Test
    void aModeThatSomebodyBlocksIsAcceptedPendingAndNotOn() {
        start("h200");
        try (MigHolder other = outside.hold()) {
            assertThat(gpu.mig().setMode(true).orThrow()).isEqualTo(NvmlReturn.IN_USE);
            assertThat(gpu.modes().mig().orThrow()).isEqualTo(new Mode(false, true));
            assertThat(gpu.mig().instances().orThrow()).isEmpty();
            assertThat(other).isNotNull();
        }
    }

    // mig-parted #9, gpu-operator #668
    @Test
    void inAVirtualMachineEachAttemptAnswersResetRequired() {
        start("h200");
        outside.refuseActivation(OptionalInt.of(NvmlReturn.RESET_REQUIRED.code()));

        assertThat(gpu.mig().setMode(true).orThrow()).isEqualTo(NvmlReturn.RESET_REQUIRED);
        assertThat(gpu.mig().setMode(true).orThrow()).isEqualTo(NvmlReturn.RESET_REQUIRED);
        assertThat(gpu.modes().mig().orThrow()).isEqualTo(new Mode(false, true));
    }

    // mig-parted #29, gpu-operator #622, k8s-dra-driver #1452
    @Test
    void aComputeInstanceThatCannotBeMadeLeavesItsGpuInstance() {
        startCutUp();
        driver.gpu(0).answerOnce("nvmlGpuInstanceCreateComputeInstance", NvmlReturn.INSUFFICIENT_RESOURCES.code());
        GpuInstance made = gpu.mig().create(P_1G).orThrow();

        assertThat(made.create(0))
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlGpuInstanceCreateComputeInstance, NvmlReturn.INSUFFICIENT_RESOURCES));
        assertThat(gpu.mig().instances().orThrow()).hasSize(1);
        made.destroy().orThrow();
        assertThat(gpu.mig().instances().orThrow()).isEmpty();
    }

    // go-nvml #146
    @Test
    void aDestructionThatIsALieIsSeenInTheListOfInstances() {
        startCutUp();
        GpuInstance made = gpu.mig().create(P_1G).orThrow();
        outside.leaveRemnants(1);

        assertThat(made.destroy().value()).isPresent();
        assertThat(gpu.mig().instances().orThrow()).hasSize(1);
        assertThat(gpu.mig().instances().orThrow().getFirst().destroy().value()).isPresent();
        assertThat(gpu.mig().instances().orThrow()).isEmpty();
    }

    // libcudacxx #224
    @Test
    void aDeviceThatIsGoneIsListedWithAnInstanceThatIsNot() {
        startCutUp();
        outside.keepStaleDevices(true);
        int instance = outside.create("1g.18gb", 0, "1g.18gb");
        MigDevice device = gpu.mig().device(0).orThrow();
        assertThat(device.gpuInstanceId().orThrow()).isEqualTo(instance);

        outside.destroy(instance);

        assertThat(gpu.mig().instances().orThrow()).isEmpty();
        assertThat(gpu.mig().device(0).value()).as("the library still lists it").isPresent();
    }

    // k8s-dra-driver #907
    @Test
    void anInstanceThatIsInUseForAMomentCanBeDestroyedInTheEnd() {
        startCutUp();
        GpuInstance made = gpu.mig().create(P_1G).orThrow();
        driver.gpu(0).faults().answer("nvmlGpuInstanceDestroy", NvmlReturn.IN_USE.code(), Turns.next(2));

        Answer<?> inUse = new Answer.Refused<>(NvmlFunction.nvmlGpuInstanceDestroy, NvmlReturn.IN_USE);
        assertThat(made.destroy()).isEqualTo(inUse);
        assertThat(made.destroy()).isEqualTo(inUse);
        assertThat(made.destroy().value()).isPresent();
        assertThat(driver.calls().of("nvmlGpuInstanceDestroy", 0)).isEqualTo(3);
    }

    // k8s-dra-driver #1018
    @Test
    void whoOnlyReadsDestroysNothing() {
        startCutUp();
        outside.create("1g.35gb", 6, "1g.35gb");
        Gpu reader =
                Nvml.open(driver, CallObserver.NONE, () -> 0).orThrow().gpu(0).orThrow();

        Getters.callAll("gpu", reader);
        reader.mig().instances().orThrow().forEach(GpuInstance::destroy);

        assertThat(driver.calls().ofAllWith("Destroy")).isZero();
        assertThat(driver.calls().ofAllWith("Create")).isZero();
        assertThat(outside.layout()).containsExactly("1g.35gb@6");
    }

    // Seen on a GH200 with a profiler attached
    @Test
    void theFirstInstanceNeedsAGpuThatNobodyHolds() {
        startCutUp();
        try (MigHolder profiler = outside.hold()) {
            assertThat(gpu.mig().create(P_3G, new Placement(0, 4)))
                    .isEqualTo(new Answer.Refused<>(
                            NvmlFunction.nvmlDeviceCreateGpuInstanceWithPlacement, NvmlReturn.IN_USE));
            assertThat(profiler).isNotNull();
        }
        assertThat(gpu.mig().create(P_3G, new Placement(0, 4)).value()).isPresent();
    }

    // nvidia-container-toolkit #842, #1363
    @Test
    void memoryOfAnInstanceIsForThoseWhoMayMonitorIt() {
        startCutUp();
        outside.create("1g.18gb", 0, "1g.18gb");
        MigDevice device = gpu.mig().device(0).orThrow();
        driver.grant(EnumSet.noneOf(Privilege.class));

        assertThat(device.memory().use())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetMemoryInfo_v2, NvmlReturn.NO_PERMISSION));
        assertThat(gpu.identity().name().value()).as("everything else").isPresent();
    }

    // go-nvml #57, HAMi #1950
    @Test
    void aMigDeviceKnowsItsInstancesAndIsFoundByBothFormsOfItsUuidAsNoGpu() {
        startCutUp();
        int instance = outside.create("3g.71gb", 4, "3g.71gb");
        MigDevice device = gpu.mig().device(0).orThrow();
        String uuid = device.uuid().orThrow();
        String older = "MIG-" + driver.gpu(0).uuid() + "/" + instance + "/0";

        assertThat(uuid).startsWith("MIG-").doesNotContain("/");
        for (String name : List.of(uuid, older)) {
            assertThat(nvml.gpuByUuid(name))
                    .as(name + " is found, and is no GPU")
                    .isEqualTo(
                            new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByUUID, NvmlReturn.INVALID_ARGUMENT));
        }
        for (String name : List.of(uuid, older)) {
            MigDevice found = nvml.migDeviceByUuid(name).orThrow();
            assertThat(found.uuid().orThrow()).isEqualTo(uuid);
            assertThat(found.gpuInstanceId().orThrow()).isEqualTo(instance);
            assertThat(found.index()).isZero();
        }
        assertThat(nvml.migDeviceByUuid(driver.gpu(0).uuid()))
                .as("a whole GPU is no MIG device")
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByUUID, NvmlReturn.INVALID_ARGUMENT));
        assertThat(nvml.gpuByUuid("MIG-none"))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByUUID, NvmlReturn.NOT_FOUND));
        assertThat(device.gpuInstanceId().orThrow()).isEqualTo(instance);
        assertThat(device.computeInstanceId().orThrow()).isZero();
    }

    // Boards on which the instance ids run the other way round
    @Test
    void whereAnInstanceLiesIsToldByNvmlAndNotByItsNumber() {
        startCutUp();
        outside.setInstanceIds(SimulatedMig.InstanceIds.SWAPPED);
        int upper = outside.create("3g.71gb", 4, "3g.71gb");
        int lower = outside.create("3g.71gb", 0, "3g.71gb");

        GpuInstanceInfo above = gpu.mig().instance(upper).orThrow().info().orThrow();
        GpuInstanceInfo below = gpu.mig().instance(lower).orThrow().info().orThrow();
        assertThat(above.placement()).isEqualTo(new Placement(4, 4));
        assertThat(below.placement()).isEqualTo(new Placement(0, 4));
        assertThat(upper).isLessThan(lower);
    }

    // RTX PRO 6000: one instance takes all media engines
    @Test
    void anInstanceWithAllMediaEnginesLeavesNoneForOthersThoughSlicesAreFree() {
        start("rtx-pro-6000");
        outside.setMode(true);
        outside.create("1g.24gb+me.all", 0, "1g.24gb+me.all");
        int plain = profile("1g.24gb");
        int without = profile("1g.24gb-me");

        assertThat(gpu.mig().create(plain))
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceCreateGpuInstance, NvmlReturn.INSUFFICIENT_RESOURCES));
        assertThat(gpu.mig().create(without).value()).isPresent();
    }

    private int profile(String name) {
        return gpu.mig().profiles().orThrow().stream()
                .filter(profile -> profile.name().orElse("").equals("MIG " + name))
                .findFirst()
                .orElseThrow()
                .id();
    }
}
