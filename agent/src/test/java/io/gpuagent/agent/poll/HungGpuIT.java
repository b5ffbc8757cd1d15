// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.nvml.sim.Hang;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A GPU whose driver call never returns (seen in the field for minutes, with every other tool waiting). */
class HungGpuIT {
    private static final int HUNG = 3;

    @Test
    void theOtherSevenStayFreshAndTheHungOneIsMarkedAndItsReadingsEnd() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x8")) {
            Hang hang = node.driver.gpu(HUNG).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);

            node.passSeconds(1);
            assertThat(node.gpu(HUNG).condition())
                    .as("within the call's deadline")
                    .isEqualTo(GpuCondition.OK);

            node.passSeconds(3);
            for (GpuSnapshot gpu : node.now().gpus()) {
                if (gpu.identity().index() == HUNG) {
                    assertThat(gpu.condition().state()).isEqualTo(State.UNRESPONSIVE);
                    assertThat(gpu.condition().detail())
                            .isEqualTo("nvmlDeviceGetEnforcedPowerLimit has not returned for 4 s");
                    assertThat(gpu.readings().value(ReadingKeys.POWER_AVERAGE)).isEmpty();
                    assertThat(gpu.readings().value(ReadingKeys.MEMORY)).isEmpty();
                    assertThat(gpu.readings().value(ReadingKeys.NAME)).isPresent();
                } else {
                    assertThat(gpu.condition()).isEqualTo(GpuCondition.OK);
                    Reading<Double> power = gpu.readings().get(ReadingKeys.POWER_AVERAGE);
                    assertThat(power.value()).isPresent();
                    assertThat(node.now().takenAtNanos() - power.atNanos())
                            .isLessThanOrEqualTo(Duration.ofSeconds(1).toNanos());
                }
            }
            assertThat(node.now().agent().inFlight())
                    .singleElement()
                    .satisfies(call -> assertThat(call.thread()).isEqualTo("3"));
        }
    }

    @Test
    void theHungGpuGetsNoSecondCallAndComesBackByItself() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            Hang hang = node.driver.gpu(1).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);
            long asked = node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit", 1);

            node.passSeconds(60);
            assertThat(node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit", 1))
                    .isEqualTo(asked);

            node.expectHung(0);
            node.driver.gpu(1).heal();
            hang.release();
            node.settle();
            node.passSeconds(2);
            assertThat(node.gpu(1).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.gpu(1).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
        }
    }

    @Test
    void aGpuThatHangsWhenItIsAttachedHoldsNobodyUp() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200x4")) {
            Hang hang = node.driver.gpu(2).hang("nvmlDeviceGetHandleByIndex_v2");
            node.expectHung(1);
            node.loop.start();
            hang.awaitHeld(1);
            node.settle();

            node.passSeconds(61);

            assertThat(node.gpu(0).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
            assertThat(node.gpu(3).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
            assertThat(node.gpu(2).condition().state()).isEqualTo(State.UNRESPONSIVE);
            assertThat(node.snapshots.ready()).isTrue();
        }
    }

    @Test
    void aSessionThatEndsWhileOneGpuHangsIsFollowedByOneWithoutThatGpu() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x3")) {
            Hang hang = node.driver.gpu(1).hang("nvmlDeviceGetEnforcedPowerLimit");
            node.expectHung(1);
            node.passSeconds(1);
            hang.awaitHeld(1);
            long asked = node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit", 1);

            // The driver is reloaded: every session ends.
            node.driver.gpu(0).answerOnce("nvmlDeviceGetMemoryInfo_v2", 1);
            node.passUntil(() -> node.driver.calls().of("nvmlInit_v2") == 2
                    && node.now().driver() instanceof DriverState.Up
                    && node.gpu(0).readings().value(ReadingKeys.MEMORY).isPresent()
                    && node.gpu(2).readings().value(ReadingKeys.MEMORY).isPresent());

            assertThat(node.gpu(2).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.gpu(1).condition().state()).isEqualTo(State.UNRESPONSIVE);
            assertThat(node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit", 1))
                    .isEqualTo(asked);
            assertThat(node.driver.calls().of("nvmlShutdown")).isZero();

            node.driver.gpu(1).heal();
            hang.release();
            node.passUntil(
                    () -> node.gpu(1).readings().value(ReadingKeys.MEMORY).isPresent());
            assertThat(node.gpu(1).condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.driver.sessions()).isEqualTo(1);
        }
    }

    @Test
    void nvmlIsNotShutDownUnderAHangingCall() throws InterruptedException {
        PolledNode node = PolledNode.polled("h200x2");
        Hang hang = node.driver.gpu(1).hang("nvmlDeviceGetEnforcedPowerLimit");
        node.expectHung(1);
        node.passSeconds(1);
        hang.awaitHeld(1);

        node.loop.stop();
        assertThat(node.loop.awaitEnd(Duration.ofMillis(300))).isFalse();
        assertThat(node.driver.calls().of("nvmlShutdown")).isZero();

        hang.release();
        assertThat(node.loop.awaitEnd(Duration.ofSeconds(20))).isTrue();
        assertThat(node.driver.calls().of("nvmlShutdown")).isEqualTo(1);
        assertThat(node.driver.sessions()).isZero();
    }
}
