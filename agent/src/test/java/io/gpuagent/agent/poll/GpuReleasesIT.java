// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.agent.mps.ReleasingCaller;
import io.gpuagent.agent.poll.GpuReleases.Depth;
import io.gpuagent.agent.poll.GpuReleases.Released;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.nvml.sim.Hang;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pollers let go of a GPU that somebody is about to change, and take it up again as if they saw it first. */
class GpuReleasesIT {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration IMPATIENCE = Duration.ofMillis(50);

    private final ExecutorService others = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        others.shutdownNow();
    }

    @Test
    void aGpuThatWasLetGoOfIsAskedNothingUntilItIsGivenBack() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            Released released = releases(node).release(uuids(node, 1), Depth.CALLS, PATIENCE);
            long asked = node.driver.calls().of("nvmlDeviceGetMemoryInfo_v2", 1);
            node.passSeconds(60);

            assertThat(node.driver.calls().of("nvmlDeviceGetMemoryInfo_v2", 1)).isEqualTo(asked);
            assertThat(node.gpu(1).condition())
                    .isEqualTo(new GpuCondition(State.RELEASED, "it is not read while it is being changed"));
            assertThat(node.gpu(1).readings().value(ReadingKeys.MEMORY))
                    .as("last-good values are never served as fresh")
                    .isEmpty();
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.gpu(0).readings().value(ReadingKeys.MEMORY)).isPresent();
            assertThat(node.driver.calls().of("nvmlShutdown")).isZero();

            released.close();
            released.close();
            node.passSeconds(1);
            assertThat(node.gpu(1).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.gpu(1).readings().value(ReadingKeys.MEMORY)).isPresent();
        }
    }

    @Test
    void aGpuThatIsGivenBackIsAttachedAnewAndAskedAgainForAllThatNeverChangesOtherwise() throws Exception {
        try (PolledNode node = PolledNode.polled("h200")) {
            long names = node.driver.calls().of("nvmlDeviceGetName", 0);
            long handles = node.driver.calls().of("nvmlDeviceGetHandleByIndex_v2", 0);

            releases(node).release(uuids(node, 0), Depth.CALLS, PATIENCE).close();
            node.passSeconds(1);

            assertThat(node.driver.calls().of("nvmlDeviceGetName", 0)).isEqualTo(names + 1);
            assertThat(node.driver.calls().of("nvmlDeviceGetHandleByIndex_v2", 0))
                    .isEqualTo(handles + 1);
        }
    }

    @Test
    void twoWhoHoldOneGpuBothHaveToGiveItBack() throws Exception {
        try (PolledNode node = PolledNode.polled("h200")) {
            Released one = releases(node).release(uuids(node, 0), Depth.CALLS, PATIENCE);
            Released other = releases(node).release(uuids(node, 0), Depth.CALLS, PATIENCE);

            one.close();
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.RELEASED);

            other.close();
            node.passSeconds(1);
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void aGpuWhoseCallDoesNotReturnIsNotLetGoOf() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            Hang hang = node.driver.gpu(1).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);

            assertThatExceptionOfType(NotReleasedException.class)
                    .isThrownBy(() -> releases(node).release(uuids(node, 1), Depth.CALLS, IMPATIENCE))
                    .withMessage("GPU 1 cannot be let go of: "
                            + "nvmlDeviceGetEnforcedPowerLimit of GPU 1 has not returned");
            releases(node).release(uuids(node, 0), Depth.CALLS, PATIENCE).close();

            node.expectHung(0);
            node.driver.gpu(1).heal();
            hang.release();
            node.settle();
            node.passSeconds(1);
            assertThat(node.gpu(1).condition()).as("the refusal holds nothing").isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void forInstancesNvmlIsShutDownOnceAndTheOthersArePolledInASessionThatNeverTouchedTheGpu() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            long handles = node.driver.calls().of("nvmlDeviceGetHandleByIndex_v2", 1);
            Released released = release(node, Depth.INSTANCES);

            assertThat(node.driver.calls().of("nvmlShutdown")).isEqualTo(1);
            node.passUntil(() ->
                    node.driver.sessions() == 1 && node.driver.calls().of("nvmlDeviceGetHandleByIndex_v2", 0) == 2);
            node.settle();
            node.passSeconds(10);
            assertThat(node.gpu(0).readings().value(ReadingKeys.MEMORY)).isPresent();
            assertThat(node.gpu(1).condition().state()).isEqualTo(State.RELEASED);
            assertThat(node.gpu(1).identity().uuid())
                    .isEqualTo(node.driver.gpu(1).uuid());
            assertThat(node.driver.calls().of("nvmlDeviceGetHandleByIndex_v2", 1))
                    .isEqualTo(handles);

            released.close();
            node.passSeconds(1);
            assertThat(node.gpu(1).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.driver.calls().of("nvmlInit_v2")).isEqualTo(2);
        }
    }

    @Test
    void whatIsKnownOfTheOthersStaysOnShowWhileNvmlIsOpenedAgain() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            CompletableFuture<Boolean> isAlwaysThere = CompletableFuture.supplyAsync(
                    () -> {
                        for (int looks = 0; looks < 200_000; looks++) {
                            Session session = node.loop.session();
                            if (!(session.state() instanceof DriverState.Up)
                                    || session.workers().size() != 2
                                    || session.workers()
                                                    .getFirst()
                                                    .view()
                                                    .readings()
                                                    .get(ReadingKeys.MEMORY)
                                            instanceof Reading.Absent<?>
                                    || !node.snapshots.ready()) {
                                return false;
                            }
                        }
                        return true;
                    },
                    others);

            while (!isAlwaysThere.isDone()) {
                release(node, Depth.INSTANCES).close();
            }

            assertThat(isAlwaysThere.get()).isTrue();
            assertThat(node.driver.calls().of("nvmlInit_v2")).isGreaterThan(1);
        }
    }

    @Test
    void forAModeNvmlStaysClosedAndIsOpenedAgainAfterwards() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            Released released = release(node, Depth.LIBRARY);

            node.passUntil(() -> node.now().driver() instanceof DriverState.Down);
            assertThat(node.driver.sessions()).isZero();
            assertThat(node.now().driver())
                    .isInstanceOfSatisfying(
                            DriverState.Down.class,
                            down -> assertThat(down.reason()).isEqualTo(DriverState.Reason.RELEASED));
            assertThat(node.now().gpus()).isEmpty();
            assertThat(node.snapshots.ready()).isTrue();

            released.close();
            node.passUntil(() -> node.now().driver() instanceof DriverState.Up
                    && node.now().gpus().stream().map(GpuSnapshot::condition).allMatch(GpuCondition.OK::equals));
            assertThat(node.driver.sessions()).isEqualTo(1);
        }
    }

    @Test
    void nvmlIsNotShutDownForInstancesWhileAnotherGpuHangs() throws Exception {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            Hang hang = node.driver.gpu(0).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);
            node.passSeconds(5);

            assertThatExceptionOfType(NotReleasedException.class)
                    .isThrownBy(() -> releases(node).release(uuids(node, 1), Depth.INSTANCES, PATIENCE))
                    .withMessage("NVML cannot be shut down to let go of GPU 1: "
                            + "nvmlDeviceGetEnforcedPowerLimit of GPU 0 has not returned");
            assertThat(node.driver.calls().of("nvmlShutdown")).isZero();
            node.passSeconds(1);
            assertThat(node.gpu(1).condition()).isEqualTo(GpuCondition.OK);

            hang.release();
            node.expectHung(0);
        }
    }

    @Test
    void aChangeOfThePortQuiescesItsGpuUntilItIsAnswered() throws Exception {
        try (PolledNode node = PolledNode.polled("h200")) {
            ReleasingCaller caller = new ReleasingCaller(step -> {}, Optional.of(releases(node)), Depth.CALLS);

            assertThat(caller.quiesce(uuids(node, 0))).isTrue();
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.RELEASED);

            caller.close();
            node.passSeconds(1);
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void aGpuThatIsNotPolledIsLetGoOfAlready() throws Exception {
        try (PolledNode node = PolledNode.polled("h200")) {
            releases(node).release(List.of("GPU-unknown"), Depth.CALLS, PATIENCE);

            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
        }
    }

    /** Lets time pass while another thread waits, because the driver's thread looks once a second. */
    private Released release(PolledNode node, Depth depth) throws ExecutionException, InterruptedException {
        List<String> wanted = uuids(node, 1);
        CompletableFuture<Released> released = new CompletableFuture<>();
        Thread asking = Thread.ofPlatform().start(() -> {
            try {
                released.complete(releases(node).release(wanted, depth, PATIENCE));
            } catch (NotReleasedException | RuntimeException e) {
                released.completeExceptionally(e);
            }
        });
        node.passUntil(released::isDone);
        asking.join();
        return released.get();
    }

    private static GpuReleases releases(PolledNode node) {
        return new GpuReleases(node.loop, node.ledger);
    }

    private static List<String> uuids(PolledNode node, int gpu) {
        return List.of(node.driver.gpu(gpu).uuid());
    }
}
