// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.DriverState.Down;
import io.gpuagent.model.DriverState.Reason;
import io.gpuagent.model.DriverState.Up;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.nvml.NvmlLibrary;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No library, no driver, a wrong version, no permission: the agent says so, and picks the driver up when it appears. */
class DriverComesAndGoesIT {
    private static final int UNINITIALIZED = 1;
    private static final int DRIVER_NOT_LOADED = 9;
    private static final int NOT_SUPPORTED = 3;
    private static final int GPU_IS_LOST = 15;
    private static final int UNKNOWN = 999;

    @ParameterizedTest
    @CsvSource({
        "9, NO_DRIVER, NVML_ERROR_DRIVER_NOT_LOADED, modprobe nvidia",
        "18, VERSION_MISMATCH, NVML_ERROR_LIB_RM_VERSION_MISMATCH, reload the module or reboot",
        "4, NO_PERMISSION, NVML_ERROR_NO_PERMISSION, /dev/nvidiactl",
        "17, NO_PERMISSION, NVML_ERROR_OPERATING_SYSTEM, /dev/nvidiactl",
        "999, FAILED, NVML_ERROR_UNKNOWN, nvidia-smi"
    })
    void aDriverThatRefusesIsReportedAndPickedUpOnceItComes(int code, Reason reason, String name, String advice)
            throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200x2")) {
            node.driver.failInit(code, 3);
            node.loop.start();
            node.settleWithoutDriver();

            assertThat(node.now().driver()).isInstanceOfSatisfying(Down.class, down -> {
                assertThat(down.reason()).isEqualTo(reason);
                assertThat(down.code()).isEqualTo(name);
                assertThat(down.explanation()).contains(advice).contains(name);
            });
            assertThat(node.now().gpus()).isEmpty();
            assertThat(node.snapshots.ready()).isTrue();

            // The pauses are 1, 2 and 4 seconds.
            node.clock.advance(Duration.ofSeconds(1));
            node.settleWithoutDriver();
            node.clock.advance(Duration.ofSeconds(2));
            node.settleWithoutDriver();
            node.clock.advance(Duration.ofSeconds(4));
            node.settle();

            assertThat(node.now().driver()).isInstanceOf(Up.class);
            assertThat(node.gpu(1).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
        }
    }

    @Test
    void aMissingLibraryIsNamed() throws InterruptedException {
        ManualClock clock = new ManualClock();
        CallLedger ledger = new CallLedger(clock);
        DriverLoop loop = new DriverLoop(
                NvmlSource.library(Optional.of(Path.of("/nowhere/libnvidia-ml.so.1"))),
                ledger,
                clock,
                PollIntervals.DEFAULT,
                event -> {});
        loop.start();
        clock.awaitSleepers(3, Duration.ofSeconds(20));

        assertThat(loop.session().state()).isInstanceOfSatisfying(Down.class, down -> {
            assertThat(down.reason()).isEqualTo(Reason.NO_LIBRARY);
            assertThat(down.explanation())
                    .contains("/nowhere/libnvidia-ml.so.1")
                    .contains("install the NVIDIA driver");
        });
        loop.stop();
        assertThat(loop.awaitEnd(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aLibraryThatAppearsLaterIsTaken() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            boolean[] installed = {false};
            NvmlSource source = () -> {
                if (!installed[0]) {
                    return notFound();
                }
                return new NvmlSource.Opened(node.driver, "a simulation", () -> {});
            };
            DriverLoop loop = new DriverLoop(source, node.ledger, node.clock, PollIntervals.DEFAULT, event -> {});
            loop.start();
            node.settleWithoutDriver();
            assertThat(loop.session().state()).isInstanceOf(Down.class);

            installed[0] = true;
            node.clock.advance(Duration.ofSeconds(1));
            node.settle();

            assertThat(loop.session().state()).isInstanceOf(Up.class);
            loop.stop();
            assertThat(loop.awaitEnd(Duration.ofSeconds(20))).isTrue();
        }
    }

    @Test
    void aReloadedDriverIsOpenedAgainWithoutARestart() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.driver.answer("nvmlDeviceGetEnforcedPowerLimit", UNINITIALIZED);
            node.driver.answer("nvmlInit_v2", DRIVER_NOT_LOADED);
            node.passUntil(() -> node.now().driver() instanceof Down down && down.reason() == Reason.NO_DRIVER);
            assertThat(node.now().gpus()).isEmpty();
            node.driver.calls().reset();

            node.driver.heal();
            node.passUntil(() -> node.now().driver() instanceof Up && node.snapshots.ready());

            assertThat(node.gpu(0).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
            assertThat(node.driver.calls().of("nvmlInit_v2")).isEqualTo(1);
            assertThat(node.driver.sessions()).isEqualTo(1);
        }
    }

    @Test
    void aLostGpuIsMarkedAndTheOthersGoOn() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.driver.gpu(1).lose();
            node.passSeconds(5);

            assertThat(node.gpu(1).condition().state()).isEqualTo(State.LOST);
            assertThat(node.gpu(1).condition().detail()).contains("NVML_ERROR_GPU_IS_LOST");
            assertThat(node.gpu(1).readings().value(ReadingKeys.POWER_AVERAGE)).isEmpty();
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.OK);
            assertThat(node.now().driver()).isInstanceOf(Up.class);
        }
    }

    @Test
    void aGpuThatIsLostFromTheStartIsListedWithoutAUuid() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200x2")) {
            node.driver.gpu(1).answer("nvmlDeviceGetHandleByIndex_v2", GPU_IS_LOST);
            node.loop.start();
            node.settle();

            assertThat(node.gpu(1).condition().state()).isEqualTo(State.LOST);
            assertThat(node.gpu(1).identity().uuid()).isEmpty();
            assertThat(node.snapshots.ready()).isTrue();
        }
    }

    @Test
    void whenEveryCallFailsNvmlIsInitialisedAgain() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200")) {
            failEveryCall(node);
            node.passSeconds(2);
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.FAILING);
            node.passUntil(() -> node.driver.calls().of("nvmlInit_v2") > 1);

            node.driver.heal();
            node.passUntil(() -> node.snapshots.ready()
                    && !node.now().gpus().isEmpty()
                    && node.gpu(0).condition().state() == State.OK);

            assertThat(node.now().driver()).isInstanceOf(Up.class);
            assertThat(node.gpu(0).readings().value(ReadingKeys.POWER_AVERAGE)).isPresent();
        }
    }

    @Test
    void whatIsNotAskedDoesNotCountAsAnAnswer() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200x2")) {
            // As in MIG mode: some questions are left out from then on.
            node.driver.gpu(1).answer("nvmlDeviceGetUtilizationRates", NOT_SUPPORTED);
            node.loop.start();
            node.settle();

            node.driver.gpu(1).answer("*", UNKNOWN);
            node.passSeconds(2);

            assertThat(node.gpu(1).condition().state()).isEqualTo(State.FAILING);
            assertThat(node.gpu(1).condition().detail()).contains("NVML_ERROR_UNKNOWN");
            assertThat(node.gpu(0).condition().state()).isEqualTo(State.OK);
        }
    }

    @Test
    void aStaticValueThatFailedOnceIsAskedForAgain() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200")) {
            node.driver.gpu(0).answerOnce("nvmlDeviceGetName", UNKNOWN);
            node.loop.start();
            node.settle();
            assertThat(node.gpu(0).readings().value(ReadingKeys.NAME)).isEmpty();

            node.passSeconds(15);

            assertThat(node.gpu(0).readings().value(ReadingKeys.NAME)).contains("NVIDIA H200");
        }
    }

    @Test
    void aGpuThatWasResetIsAttachedAnew() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.driver.gpu(1).lose();
            node.passSeconds(5);
            assertThat(node.gpu(1).condition().state()).isEqualTo(State.LOST);
            node.driver.calls().reset();

            node.driver.gpu(1).heal();
            node.passUntil(() -> node.gpu(1).condition().state() == State.OK);

            assertThat(node.driver.calls().of("nvmlInit_v2"))
                    .as("the other GPU is left alone")
                    .isZero();
        }
    }

    @Test
    void oneGpuThatStaysLostMakesNvmlBeInitialisedAgainOnlyAfterAMinuteAndThenMoreSeldom() throws InterruptedException {
        try (PolledNode node = PolledNode.polled("h200x2")) {
            node.driver.gpu(1).lose();
            node.passSeconds(50);
            assertThat(node.driver.calls().of("nvmlInit_v2")).isEqualTo(1);

            node.passUntil(() -> node.driver.calls().of("nvmlInit_v2") == 2);
            long second = node.clock.nanos();
            node.passUntil(() -> node.driver.calls().of("nvmlInit_v2") == 3);

            assertThat(node.clock.nanos() - second)
                    .isGreaterThan(Duration.ofSeconds(110).toNanos());
        }
    }

    private static void failEveryCall(PolledNode node) {
        // What a reset of a container's device rules does: each call answers Unknown Error until a new nvmlInit.
        for (String function : node.driver.calls().byFunction().keySet()) {
            if (function.startsWith("nvmlDeviceGet")) {
                node.driver.answer(function, UNKNOWN);
            }
        }
    }

    private static NvmlSource.Opened notFound() throws NvmlLibrary.NotFound {
        return NvmlSource.library(Optional.of(Path.of("/nowhere/libnvidia-ml.so.1")))
                .open();
    }
}
