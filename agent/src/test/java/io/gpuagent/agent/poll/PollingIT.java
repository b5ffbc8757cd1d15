// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpuagent.model.Absence;
import io.gpuagent.model.ClockDomain;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Tier;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A healthy node: what is read, how often, and what is not asked again. */
class PollingIT {
    private static final int NOT_SUPPORTED = 3;

    @Test
    void aPolledH200HasEveryReading() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            GpuSnapshot gpu = node.gpu(0);

            assertThat(ReadingKeys.ALL)
                    // The card that was captured has no NVLink.
                    .filteredOn(key -> !key.equals(ReadingKeys.NVLINKS))
                    .allSatisfy(key ->
                            assertThat(gpu.readings().value(key)).as(key.name()).isPresent());
            assertThat(gpu.condition()).isEqualTo(GpuCondition.OK);
            assertThat(node.now().driver()).isInstanceOf(DriverState.Up.class);
        }
    }

    @Test
    void valuesHaveTheModelsUnits() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.freeze();
            node.driver.gpu(0).setUtilization(37, 5);
            node.driver.gpu(0).setTemperature(61);
            node.driver.gpu(0).setPower(512_345);
            node.loop.start();
            node.settle();

            GpuSnapshot gpu = node.gpu(0);
            assertThat(gpu.readings()
                            .value(ReadingKeys.UTILIZATION)
                            .orElseThrow()
                            .gpu())
                    .isEqualTo(0.37);
            assertThat(gpu.readings()
                            .value(ReadingKeys.UTILIZATION)
                            .orElseThrow()
                            .memory())
                    .isEqualTo(0.05);
            assertThat(gpu.readings().value(ReadingKeys.TEMPERATURE_GPU)).contains(61);
            assertThat(gpu.readings().value(ReadingKeys.POWER_INSTANT).orElseThrow())
                    .isEqualTo(512.345, within(1e-9));
            assertThat(gpu.readings().value(ReadingKeys.POWER_LIMIT_ENFORCED)).contains(700.0);
            assertThat(gpu.readings().value(ReadingKeys.clockMax(ClockDomain.SM)))
                    .contains(1_980_000_000L);
            assertThat(gpu.readings().value(ReadingKeys.PCI).orElseThrow().busId())
                    .isEqualTo(node.driver.gpu(0).busId());
        }
    }

    @Test
    void theProcessesOfABusyGpuAreListed() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x8")) {
            long busy = node.now().gpus().stream()
                    .filter(gpu -> !gpu.readings()
                            .value(ReadingKeys.processes(ProcessType.COMPUTE))
                            .orElseThrow()
                            .isEmpty())
                    .count();

            assertThat(busy).isPositive();
            assertThat(node.gpu(0).readings().value(ReadingKeys.processes(ProcessType.COMPUTE)))
                    .as("GPU 0 has none at start")
                    .contains(List.of());
        }
    }

    @Test
    void fastReadingsAreReadEachSecondAndSlowOnesEachFifteen() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.driver.calls().reset();

            node.passSeconds(30);

            assertThat(node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit"))
                    .isEqualTo(30);
            assertThat(node.driver.calls().of("nvmlDeviceGetTotalEnergyConsumption"))
                    .isEqualTo(2);
            assertThat(node.driver.calls().of("nvmlDeviceGetName")).isZero();
            assertThat(node.driver.calls().of("nvmlInit_v2")).isZero();
            assertThat(node.gpu(0).condition()).isEqualTo(GpuCondition.OK);
            assertFresh(node.now(), ReadingKeys.POWER_AVERAGE, Duration.ofSeconds(1));
            assertFresh(node.now(), ReadingKeys.ENERGY, Duration.ofSeconds(15));
        }
    }

    @Test
    void configuredIntervalsHold() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200", new PollIntervals(Duration.ofSeconds(2), Duration.ofSeconds(4)))) {
            node.loop.start();
            node.settle();
            node.driver.calls().reset();

            node.passSeconds(8);

            assertThat(node.driver.calls().of("nvmlDeviceGetEnforcedPowerLimit"))
                    .isEqualTo(4);
            assertThat(node.driver.calls().of("nvmlDeviceGetTotalEnergyConsumption"))
                    .isEqualTo(2);
        }
    }

    @Test
    void theCallsThatBlockOrCostMostAreNeverMade() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            node.passSeconds(60);

            // 20 ms each way, and 69 ms, on an H200.
            assertThat(node.driver.calls().of("nvmlDeviceGetPcieThroughput")).isZero();
            assertThat(node.driver.calls().of("nvmlDeviceGetInforomConfigurationChecksum"))
                    .isZero();
        }
    }

    @Test
    void whatAGpuDoesNotSupportIsAskedAgainOnlyAfterAWhile() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.gpu(0).answer("nvmlDeviceGetEncoderUtilization", NOT_SUPPORTED);
            node.loop.start();
            node.settle();
            node.passSeconds(60);

            assertThat(node.driver.calls().of("nvmlDeviceGetEncoderUtilization"))
                    .isEqualTo(1);
            assertThat(absence(node, ReadingKeys.UTILIZATION_ENCODER)).isEqualTo(Absence.NOT_SUPPORTED);

            node.driver.gpu(0).heal();
            node.clock.advance(GpuWorker.ASK_AGAIN);
            node.settle();
            assertThat(node.gpu(0).readings().value(ReadingKeys.UTILIZATION_ENCODER))
                    .isPresent();
        }
    }

    @Test
    void anOldDriverLacksFunctionsAndNothingElse() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.remove("nvmlDeviceGetJpgUtilization");
            node.driver.remove("nvmlDeviceGetTemperatureV");
            node.driver.remove("nvmlDeviceGetMemoryInfo_v2");
            node.driver.remove("nvmlDeviceGetCurrentClocksEventReasons");
            node.driver.remove("nvmlDeviceGetComputeRunningProcesses_v3");
            node.loop.start();
            node.settle();

            GpuSnapshot gpu = node.gpu(0);
            assertThat(absence(node, ReadingKeys.UTILIZATION_JPEG)).isEqualTo(Absence.NO_SUCH_FUNCTION);
            assertThat(gpu.readings().value(ReadingKeys.TEMPERATURE_GPU)).isPresent();
            assertThat(gpu.readings().value(ReadingKeys.MEMORY).orElseThrow().reservedBytes())
                    .isEmpty();
            assertThat(gpu.readings().value(ReadingKeys.CLOCK_REASONS)).isPresent();
            assertThat(gpu.readings().value(ReadingKeys.processes(ProcessType.COMPUTE)))
                    .isPresent();
            assertThat(gpu.condition()).isEqualTo(GpuCondition.OK);
        }
    }

    @Test
    void aValueThatCannotBeTrueIsRejected() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.freeze();
            node.driver.gpu(0).setTemperature(345);
            node.driver.gpu(0).setUtilization(200_000, 1);
            node.loop.start();
            node.settle();

            assertThat(absence(node, ReadingKeys.TEMPERATURE_GPU)).isEqualTo(Absence.OUT_OF_RANGE);
            assertThat(absence(node, ReadingKeys.UTILIZATION)).isEqualTo(Absence.OUT_OF_RANGE);
        }
    }

    @Test
    void aSnapshotIsMadeOnceASecondHoweverOftenItIsAskedFor() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            NodeSnapshot first = node.now();
            for (int i = 0; i < 1000; i++) {
                assertThat(node.now()).isSameAs(first);
            }

            node.passSeconds(1);

            assertThat(node.now().generation()).isEqualTo(first.generation() + 1);
        }
    }

    private static Absence absence(PolledNode node, ReadingKey<?> key) {
        return node.gpu(0).readings().get(key) instanceof Reading.Absent<?> absent
                ? absent.why()
                : fail(key + " has a value");
    }

    private static Absence fail(String what) {
        throw new AssertionError(what);
    }

    private static void assertFresh(NodeSnapshot node, ReadingKey<?> key, Duration atMost) {
        Reading<?> reading = node.gpus().getFirst().readings().get(key);
        assertThat(reading).isInstanceOf(Reading.Present.class);
        assertThat(key.tier()).isNotEqualTo(Tier.STATIC);
        assertThat(node.takenAtNanos() - reading.atNanos()).isLessThanOrEqualTo(atMost.toNanos());
    }
}
