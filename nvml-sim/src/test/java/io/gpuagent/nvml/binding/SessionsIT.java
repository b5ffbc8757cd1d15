// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.sim.Hang;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions begin, end and begin again beside each other. */
class SessionsIT {
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), () -> 0);
    private final CallLog log = new CallLog();

    private Answer<Nvml> open() {
        return Nvml.open(driver, log, () -> 0);
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    @Test
    void gpuOfAClosedSessionAnswersUninitializedAndCallsNothing() {
        Nvml nvml = open().orThrow();
        Gpu gpu = nvml.gpu(0).orThrow();
        nvml.close();
        log.clear();
        SortedMap<String, Long> before = driver.calls().byFunction();

        for (Getter getter : Getter.ALL) {
            assertThat(getter.of(gpu))
                    .as(getter.name())
                    .isEqualTo(new Answer.Refused<>(getter.function(), NvmlReturn.UNINITIALIZED));
        }
        assertThat(nvml.gpuCount())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.UNINITIALIZED));

        assertThat(driver.calls().byFunction()).isEqualTo(before);
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void endOfOneSessionIsNotTheEndOfAnother() {
        Nvml first = open().orThrow();
        Nvml second = open().orThrow();
        Gpu ofFirst = first.gpu(0).orThrow();
        Gpu ofSecond = second.gpu(0).orThrow();

        assertThat(first.close()).isTrue();
        assertThat(first.close()).isTrue();

        assertThat(driver.sessions()).isEqualTo(1);
        assertThat(ofFirst.identity().name().value()).isEmpty();
        assertThat(ofSecond.identity().name().orThrow()).isEqualTo("NVIDIA H200");
    }

    @Test
    void handleOfAnEarlierSessionStaysDeadAfterANewOneHasBegun() {
        Nvml first = open().orThrow();
        Gpu old = first.gpu(1).orThrow();
        first.close();
        Gpu fresh = open().orThrow().gpu(1).orThrow();

        assertThat(old.identity().uuid())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetUUID, NvmlReturn.UNINITIALIZED));
        assertThat(fresh.identity().uuid().orThrow()).isEqualTo(driver.gpu(1).uuid());
    }

    @Test
    void driverThatIsNotLoadedYetIsToldUntilItIs() {
        driver.failInit(NvmlReturn.LIB_RM_VERSION_MISMATCH.code(), 2);

        Answer<Nvml> refused = new Answer.Refused<>(NvmlFunction.nvmlInit_v2, NvmlReturn.LIB_RM_VERSION_MISMATCH);
        assertThat(open()).isEqualTo(refused);
        assertThat(open()).isEqualTo(refused);
        assertThat(open().value()).isPresent();
        assertThat(driver.sessions()).isEqualTo(1);
    }

    @Test
    void sessionIsNotShutDownUnderACallThatHangs() throws InterruptedException {
        Nvml nvml = open().orThrow();
        Gpu gpu = nvml.gpu(1).orThrow();
        Hang hang = driver.gpu(1).hang("nvmlDeviceGetPowerUsage");
        CompletableFuture<Answer<Long>> power = CompletableFuture.supplyAsync(
                () -> gpu.power().usage(), task -> Thread.ofPlatform().start(task));
        hang.awaitHeld(1);

        assertThat(nvml.close()).isFalse();
        assertThat(driver.sessions()).isEqualTo(1);
        assertThat(gpu.power().energy())
                .as("nobody else gets in")
                .isEqualTo(new Answer.Refused<>(
                        NvmlFunction.nvmlDeviceGetTotalEnergyConsumption, NvmlReturn.UNINITIALIZED));

        hang.release();
        assertThat(power.join().value()).isPresent();
        assertThat(nvml.close()).isTrue();
        assertThat(driver.sessions()).isZero();
    }

    @Test
    void hungGpuDoesNotHoldUpAnother() throws InterruptedException {
        Nvml nvml = open().orThrow();
        Gpu healthy = nvml.gpu(0).orThrow();
        Gpu hung = nvml.gpu(1).orThrow();
        Hang hang = driver.gpu(1).hang("*");
        CompletableFuture<Answer<Long>> power = CompletableFuture.supplyAsync(
                () -> hung.power().usage(), task -> Thread.ofPlatform().start(task));
        hang.awaitHeld(1);

        assertThat(healthy.power().usage().value()).isPresent();
        assertThat(power).isNotDone();

        hang.release();
        power.join();
    }
}
