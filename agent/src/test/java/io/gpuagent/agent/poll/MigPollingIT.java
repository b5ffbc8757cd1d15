// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.Absence;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceUse;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigPlace;
import io.gpuagent.model.mig.MigRoom;
import io.gpuagent.model.mig.MigView;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Mig;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.sim.SimulatedMig;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A GPU that is cut up, while it is cut up, and by whom the agent does not know. */
class MigPollingIT {
    private static final int INVALID_ARGUMENT = 2;
    private static final int NOT_SUPPORTED = 3;
    private static final int NO_PERMISSION = 4;
    private static final int SLOW = 15;
    private static final long GIB = 1L << 30;

    @Test
    void instancesComeWithTheirPlacesDevicesAndWhatStillFits() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            int half = mig.create("3g.71gb", 4, "3g.71gb");
            int small = mig.create("1g.18gb", 0);
            node.loop.start();
            node.settle();

            MigView view = view(node);
            assertThat(view.enabled()).isTrue();
            assertThat(view.pending()).isTrue();
            assertThat(view.slices()).isEqualTo(8);
            assertThat(view.instances()).extracting(MigInstanceView::id).containsExactly(small, half);
            MigInstanceView whole = view.instances().get(1);
            assertThat(whole.profile()).isEqualTo("3g.71gb");
            assertThat(whole.profileId()).isEqualTo(9);
            assertThat(whole.place()).isEqualTo(new MigPlace(4, 4));
            assertThat(whole.slices()).isEqualTo(3);
            assertThat(whole.multiprocessors()).isEqualTo(60);
            assertThat(whole.memoryBytes()).isEqualTo(71_424L << 20);
            assertThat(whole.isIncomplete()).isFalse();
            assertThat(whole.computes()).singleElement().satisfies(compute -> {
                assertThat(compute.profile()).isEqualTo("3g.71gb");
                assertThat(compute.multiprocessors()).isEqualTo(OptionalInt.of(60));
                assertThat(compute.device())
                        .map(MigDeviceView::uuid)
                        .hasValueSatisfying(uuid -> assertThat(uuid).startsWith("MIG-"));
            });
            assertThat(view.instances().getFirst().isIncomplete())
                    .as("a GPU instance without a compute instance is never invisible")
                    .isTrue();
            assertThat(room(view))
                    .containsEntry("7g.141gb", 0)
                    .containsEntry("4g.71gb", 0)
                    .containsEntry("3g.71gb", 0)
                    .containsEntry("2g.35gb", 1)
                    .containsEntry("1g.18gb", 3);
        }
    }

    @Test
    void whatStillFitsIsWhatTheDriverSaysForEachProfile() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("3g.71gb", 4, "3g.71gb");
            mig.create("1g.18gb+me", 1, "1g.18gb+me");
            node.loop.start();
            node.settle();

            Nvml nvml =
                    Nvml.open(node.driver, CallObserver.NONE, node.clock::nanos).orThrow();
            Mig card = nvml.gpu(0).orThrow().mig();
            assertThat(view(node).room())
                    .hasSize(7)
                    .allSatisfy(room -> assertThat(
                                    card.remainingCapacity(room.profileId()).orThrow())
                            .as(room.profile())
                            .isEqualTo(room.count()));
            nvml.close();
        }
    }

    @Test
    void memoryIsThatOfEachDeviceAndProcessesTellTheirInstance() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            int half = mig.create("3g.71gb", 4, "3g.71gb");
            int small = mig.create("1g.18gb", 0, "1g.18gb");
            node.driver
                    .gpu(0)
                    .setProcesses(List.of(new SimulatedProcess(
                            SimulatedProcess.FIRST_PID, SimulatedProcess.Kind.COMPUTE, 10 * GIB, half, 0)));
            node.loop.start();
            node.settle();

            long used = memory(node, half).usedBytes();
            assertThat(used).isBetween(10 * GIB, 11 * GIB);
            assertThat(memory(node, half).totalBytes()).isEqualTo(71_424L << 20);
            assertThat(memory(node, small).usedBytes()).isLessThan(GIB);
            assertThat(value(node, ReadingKeys.processes(ProcessType.COMPUTE)))
                    .extracting(GpuProcess::gpuInstance)
                    .containsExactly(OptionalInt.of(half));

            node.driver.gpu(0).setProcesses(List.of());
            node.passSeconds(1);
            assertThat(memory(node, half).usedBytes()).as("read each second").isEqualTo(used - 10 * GIB);
            assertThat(value(node, ReadingKeys.MIG_ERRORS))
                    .extracting(errors -> errors.uncorrectedSram().value().orElse(-1L))
                    .containsExactly(0L, 0L);
        }
    }

    @Test
    void indicesOfDevicesHaveHoles() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            int first = mig.create("1g.18gb", 0, "1g.18gb");
            mig.create("1g.18gb", 1, "1g.18gb");
            int third = mig.create("1g.18gb", 2, "1g.18gb");
            mig.destroy(first);
            node.loop.start();
            node.settle();

            assertThat(view(node).instances()).hasSize(2);
            assertThat(view(node).instances())
                    .flatExtracting(MigInstanceView::computes)
                    .extracting(compute -> compute.device().orElseThrow().index())
                    .as("0 is a hole: listing goes on behind it")
                    .containsExactly(1, 2);
            assertThat(memory(node, third).totalBytes()).isPositive();
        }
    }

    @Test
    void theLayoutIsReadOnceAndAgainWhenItChanges() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("3g.71gb", 4, "3g.71gb");
            node.loop.start();
            node.settle();
            long infos = node.driver.calls().of("nvmlGpuInstanceGetInfo", 0);
            long profiles = node.driver.calls().of("nvmlDeviceGetGpuInstanceProfileInfoV", 0);

            node.passSeconds(4 * SLOW);
            assertThat(node.driver.calls().of("nvmlGpuInstanceGetInfo", 0)).isEqualTo(infos);

            int made = mig.create("1g.18gb", 0);
            node.passSeconds(SLOW);
            assertThat(view(node).instances()).extracting(MigInstanceView::id).contains(made);

            mig.destroy(made);
            node.passSeconds(SLOW);
            assertThat(view(node).instances()).extracting(MigInstanceView::id).doesNotContain(made);
            assertThat(node.driver.calls().of("nvmlDeviceGetGpuInstanceProfileInfoV", 0))
                    .as("profiles take a millisecond each and never change")
                    .isEqualTo(profiles);
        }
    }

    @Test
    void aKnownChangeIsReadInTheNextRound() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            node.loop.start();
            node.settle();
            assertThat(view(node).instances()).isEmpty();

            mig.create("2g.35gb", 2, "1c.2g.35gb", "1c.2g.35gb");
            node.loop.topologyChanged(node.driver.gpu(0).uuid());
            node.passSeconds(1);

            assertThat(view(node).instances()).singleElement().satisfies(instance -> {
                assertThat(instance.computes())
                        .extracting(MigComputeView::profile)
                        .containsExactly("1c.2g.35gb", "1c.2g.35gb");
                assertThat(instance.computes())
                        .extracting(compute -> compute.multiprocessors().orElseThrow())
                        .containsExactly(16, 16);
            });
            assertThat(value(node, ReadingKeys.MIG_MEMORY)).hasSize(2);
        }
    }

    @Test
    void aChangeOfWhichTheDriverTellsIsReadInTheNextRound() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.passSeconds(2);

            mig(node).create("3g.71gb", 0, "3g.71gb");
            node.passSeconds(2);

            assertThat(view(node).instances())
                    .extracting(MigInstanceView::profile)
                    .containsExactly("3g.71gb");
        }
    }

    @Test
    void aDeviceThatIsGoneIsNoticedByItsHandleAndNotServedOn() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            int gone = mig.create("1g.18gb", 0, "1g.18gb");
            int stays = mig.create("1g.18gb", 1, "1g.18gb");
            node.loop.start();
            node.settle();

            mig.destroy(gone);
            node.passSeconds(2);

            assertThat(view(node).instances()).extracting(MigInstanceView::id).containsExactly(stays);
            assertThat(value(node, ReadingKeys.MIG_MEMORY))
                    .extracting(MigDeviceUse::gpuInstance)
                    .containsExactly(stays);
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void aDeviceThatNeverTellsItsMemoryDoesNotMakeEachRoundASlowOne() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("1g.18gb", 0, "1g.18gb");
            node.driver.gpu(0).answer("nvmlDeviceGetMemoryInfo_v2", INVALID_ARGUMENT);
            node.driver.gpu(0).answer("nvmlDeviceGetMemoryInfo", INVALID_ARGUMENT);
            node.loop.start();
            node.settle();
            node.passSeconds(2);
            long energy = node.driver.calls().of("nvmlDeviceGetTotalEnergyConsumption", 0);

            node.passSeconds(SLOW - 3);

            assertThat(node.driver.calls().of("nvmlDeviceGetTotalEnergyConsumption", 0))
                    .isEqualTo(energy);
            assertThat(value(node, ReadingKeys.MIG_MEMORY))
                    .singleElement()
                    .satisfies(use -> assertThat(use.memory()).isInstanceOf(Reading.Absent.class));
        }
    }

    @Test
    void staleDevicesAreNotShownAndNvmlIsInitialisedAnewOnce() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.keepStaleDevices(true);
            int gone = mig.create("1g.18gb", 0, "1g.18gb");
            int stays = mig.create("1g.18gb", 1, "1g.18gb");
            node.loop.start();
            node.settle();
            mig.destroy(gone);
            node.loop.topologyChanged(node.driver.gpu(0).uuid());
            node.passSeconds(1);
            assertThat(value(node, ReadingKeys.MIG_MEMORY))
                    .extracting(MigDeviceUse::gpuInstance)
                    .containsExactly(stays);

            node.passUntil(() -> node.driver.calls().of("nvmlInit_v2") == 2);
            node.passUntil(() -> node.driver.sessions() == 1);
            node.settle();
            node.passSeconds(4 * SLOW);

            assertThat(node.driver.calls().of("nvmlInit_v2")).isEqualTo(2);
            assertThat(view(node).instances()).extracting(MigInstanceView::id).containsExactly(stays);
        }
    }

    @Test
    void withoutPermissionTheLayoutIsAbsentAndTheGpuIsWell() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("3g.71gb", 4, "3g.71gb");
            node.driver.grant(Set.of());
            node.loop.start();
            node.settle();

            assertThat(node.gpu(0).readings().get(ReadingKeys.MIG))
                    .isInstanceOfSatisfying(
                            Reading.Absent.class, none -> assertThat(none.why()).isEqualTo(Absence.NO_PERMISSION));
            assertThat(node.gpu(0).readings().value(ReadingKeys.MIG_MEMORY)).isEmpty();
            assertThat(value(node, ReadingKeys.MIG_MODE).current()).isTrue();
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void withoutPermissionForMemoryTheInstancesAreShownWithoutIt() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("3g.71gb", 4, "3g.71gb");
            node.driver.gpu(0).answer("nvmlDeviceGetMemoryInfo_v2", NO_PERMISSION);
            node.loop.start();
            node.settle();

            assertThat(view(node).instances()).hasSize(1);
            assertThat(value(node, ReadingKeys.MIG_MEMORY))
                    .singleElement()
                    .satisfies(use -> assertThat(use.memory())
                            .isInstanceOfSatisfying(
                                    Reading.Absent.class,
                                    none -> assertThat(none.why()).isEqualTo(Absence.NO_PERMISSION)));
        }
    }

    @Test
    void whenTheModeIsSwitchedOffInstancesEndAndUtilizationComesBack() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            SimulatedMig mig = mig(node);
            mig.create("3g.71gb", 4, "3g.71gb");
            node.loop.start();
            node.settle();
            assertThat(node.gpu(0).readings().get(ReadingKeys.UTILIZATION))
                    .isInstanceOfSatisfying(
                            Reading.Absent.class, none -> assertThat(none.why()).isEqualTo(Absence.NOT_SUPPORTED));

            mig.setMode(false);
            node.passSeconds(SLOW + 1);

            assertThat(view(node)).isEqualTo(MigView.off(false));
            assertThat(value(node, ReadingKeys.MIG_MEMORY)).isEmpty();
            assertThat(node.gpu(0).readings().value(ReadingKeys.UTILIZATION)).isPresent();
        }
    }

    @Test
    void aCardWithoutMigSaysSoAndIsNotAskedForInstances() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.gpu(0).answer("nvmlDeviceGetMigMode", NOT_SUPPORTED);
            node.loop.start();
            node.settle();
            node.passSeconds(SLOW);

            for (ReadingKey<?> key : List.of(ReadingKeys.MIG, ReadingKeys.MIG_MEMORY, ReadingKeys.MIG_ERRORS)) {
                assertThat(node.gpu(0).readings().get(key))
                        .isInstanceOfSatisfying(
                                Reading.Absent.class,
                                none -> assertThat(none.why()).isEqualTo(Absence.NOT_SUPPORTED));
            }
            assertThat(node.driver.calls().of("nvmlDeviceGetGpuInstances", 0)).isZero();
        }
    }

    private static SimulatedMig mig(PolledNode node) {
        SimulatedMig mig = node.driver.gpu(0).mig();
        mig.setMode(true);
        return mig;
    }

    private static MigView view(PolledNode node) {
        return value(node, ReadingKeys.MIG);
    }

    private static <T> T value(PolledNode node, ReadingKey<T> key) {
        return node.gpu(0).readings().value(key).orElseThrow();
    }

    private static MemoryUse memory(PolledNode node, int instance) {
        return value(node, ReadingKeys.MIG_MEMORY).stream()
                .filter(use -> use.gpuInstance() == instance)
                .map(use -> use.memory().value().orElseThrow())
                .findFirst()
                .orElseThrow();
    }

    private static Map<String, Integer> room(MigView view) {
        return view.room().stream().collect(Collectors.toMap(MigRoom::profile, MigRoom::count));
    }
}
