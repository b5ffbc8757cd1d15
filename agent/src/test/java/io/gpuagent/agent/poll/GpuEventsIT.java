// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.DriverState.Up;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.Hang;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Events of GPUs, as NVML tells them. */
class GpuEventsIT {
    @Test
    void anXidErrorIsToldWithItsGpuAndInstance() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.passSeconds(2);

            node.driver.gpu(1).raiseXid(94, 5, 0);
            node.clock.advance(EventWatch.LOOK);
            node.settle();

            assertThat(node.events).singleElement().satisfies(event -> {
                assertThat(event.gpu())
                        .contains(new GpuIdentity(1, node.driver.gpu(1).uuid()));
                assertThat(event.type()).contains(EventType.XID_CRITICAL_ERROR);
                assertThat(event.xid()).isEqualTo(OptionalLong.of(94));
                assertThat(event.gpuInstanceId()).isEqualTo(OptionalInt.of(5));
                assertThat(event.computeInstanceId()).isEqualTo(OptionalInt.of(0));
                assertThat(event.at()).isEqualTo(node.clock.now());
            });
            assertThat(node.loop.events().gpus()).containsExactlyInAnyOrder(0, 1);
        }
    }

    /** DCGM takes one event a second, so a burst lags behind (facts of its source). */
    @Test
    void aBurstIsFetchedInOneLook() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.passSeconds(2);
            for (int i = 0; i < 3_000; i++) {
                node.driver.gpu(0).raiseXid(31);
            }
            node.clock.advance(EventWatch.LOOK);
            node.settle();
            assertThat(node.events).hasSize(3_000);
        }
    }

    @Test
    void aLostGpuThatSpoilsTheSetDoesNotSilenceTheOthers() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x3")) {
            node.passSeconds(2);
            node.driver.gpu(1).lose();
            node.passUntil(() -> node.gpu(1).condition().state() == State.LOST
                    && node.loop.events().gpus().size() == 2);

            node.driver.gpu(2).raiseXid(63);
            node.passUntil(
                    () -> node.events.stream().anyMatch(event -> event.xid().equals(OptionalLong.of(63))));

            assertThat(node.events.getLast().gpu().orElseThrow().index()).isEqualTo(2);
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.OK);
        }
    }

    /** HAMi#2321 and others: a wait that fails at once for ever took a whole core. */
    @Test
    void aSetThatFailsForEverIsAskedEverMoreSeldomAndTheDriverStaysUp() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.driver.answer("nvmlEventSetWait_v2", NvmlReturn.UNKNOWN.code());
            node.passSeconds(60);
            long before = node.driver.calls().of("nvmlEventSetWait_v2");

            node.passSeconds(600);

            assertThat(node.driver.calls().of("nvmlEventSetWait_v2") - before)
                    .as("every 30 s")
                    .isBetween(19L, 21L);
            assertThat(node.loop.events().state()).isEqualTo(EventStatus.State.FAILING);
            assertThat(node.loop.events().detail())
                    .contains("nvmlEventSetWait_v2")
                    .contains("UNKNOWN");
            assertThat(node.now().driver()).isInstanceOf(Up.class);

            node.driver.heal();
            node.passSeconds(62);
            node.driver.gpu(0).raiseXid(43);
            node.passSeconds(1);
            assertThat(node.events).hasSize(1);
        }
    }

    /** nvml.h on nvmlDeviceRegisterEvents: after UNKNOWN the set is in an undefined state and is to be freed. */
    @Test
    void aGpuWhoseRegistrationSpoilsTheSetIsLeftOut() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200x2")) {
            node.driver.gpu(0).answer("nvmlDeviceRegisterEvents", NvmlReturn.UNKNOWN.code());
            node.loop.start();
            node.settle();
            node.passUntil(() -> node.loop.events().gpus().contains(1)
                    && node.loop.events().without().containsKey(0));

            node.driver.gpu(1).raiseXid(13);
            node.passUntil(() -> node.events.size() == 1);

            assertThat(node.loop.events().without().get(0)).contains("nvmlDeviceRegisterEvents");
        }
    }

    @Test
    void aDriverWithoutEventsIsSaidToHaveNone() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.gpu(0).answer("nvmlDeviceGetSupportedEventTypes", NvmlReturn.NOT_SUPPORTED.code());
            node.loop.start();
            node.settle();
            node.passUntil(() -> !node.loop.events().without().isEmpty());

            assertThat(node.loop.events().gpus()).isEmpty();
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.OK);
        }
    }

    @Test
    void aWaitThatHangsCostsEventsOnly() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.passSeconds(2);
            Hang hang = node.driver.hang("nvmlEventSetWait_v2");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);

            node.passSeconds(120);

            assertThat(node.now().driver()).isInstanceOf(Up.class);
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.OK);
            assertThat(node.now().agent().inFlight())
                    .singleElement()
                    .satisfies(call -> assertThat(call.function()).isEqualTo("nvmlEventSetWait_v2"));
            node.driver.heal();
            hang.release();
        }
    }

    @Test
    void afterTheDriverWasReloadedEventsGoOn() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.passSeconds(2);
            node.driver.life().unload();
            node.passUntil(() -> !(node.now().driver() instanceof Up));
            node.driver.life().load();
            node.passUntil(() -> node.now().driver() instanceof Up
                    && node.loop.events().gpus().contains(0));

            node.driver.gpu(0).raiseXid(79);
            node.passUntil(() -> !node.events.isEmpty());

            assertThat(node.events.getFirst().xid()).isEqualTo(OptionalLong.of(79));
        }
    }
}
