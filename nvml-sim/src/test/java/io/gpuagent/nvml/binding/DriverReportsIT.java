// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Event;
import io.gpuagent.nvml.EventSet;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.Fields;
import io.gpuagent.nvml.GpmMetric;
import io.gpuagent.nvml.GpmSample;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.ProcessInfo;
import io.gpuagent.nvml.sim.Faults;
import io.gpuagent.nvml.sim.Garbage;
import io.gpuagent.nvml.sim.Hang;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import io.gpuagent.nvml.sim.Turns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What users of other monitors met of drivers that misbehave: NVML's part of it, and that the binding tells it as it is. */
class DriverReportsIT {
    private final AtomicLong time = new AtomicLong();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x8"), time::get);

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    private Answer<Nvml> open() {
        return Nvml.open(driver, CallObserver.NONE, () -> 0);
    }

    private Gpu gpu(int index) {
        return open().orThrow().gpu(index).orThrow();
    }

    // k8s-device-plugin #1641, #2037; shine-cluster #30
    @Test
    void initialisationThatFailsIsToldByItsCodeUntilItSucceeds() {
        driver.failInit(NvmlReturn.UNKNOWN.code(), 5);
        for (int i = 0; i < 5; i++) {
            assertThat(open()).isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlInit_v2, NvmlReturn.UNKNOWN));
        }
        assertThat(open().value()).isPresent();
    }

    // go-nvml #152
    @Test
    void aSecondInitialisationMayNeverReturn() throws Exception {
        Hang hang = driver.faults().hang("nvmlInit_v2", Turns.nth(2));
        Nvml first = open().orThrow();
        CompletableFuture<Answer<Nvml>> second = CompletableFuture.supplyAsync(this::open);
        hang.awaitHeld(1);

        assertThat(first.gpuCount().orThrow()).isEqualTo(8);
        assertThat(second).isNotDone();

        hang.release();
        assertThat(second.get(20, TimeUnit.SECONDS).value()).isPresent();
    }

    // DCGM #313, NVSentinel #1748: error storms in which reads take longer than any deadline
    @Test
    void aBatchOfFieldsMayTakeLongerThanAnyDeadlineAndStillAnswers() throws Exception {
        Gpu slow = gpu(3);
        Gpu other = gpu(4);
        driver.gpu(3).state().addCorrectedErrors(17_700);
        Hang delay = driver.gpu(3).faults().delay("nvmlDeviceGetFieldValues", Duration.ofSeconds(46), Turns.ALL);

        CompletableFuture<List<Answer<Number>>> late =
                CompletableFuture.supplyAsync(() -> slow.fields().read(3));
        delay.awaitHeld(1);
        assertThat(other.fields().read(3)).containsExactly(new Answer.Value<>(0L));
        time.addAndGet(Duration.ofSeconds(46).toNanos());

        assertThat(late.get(20, TimeUnit.SECONDS)).containsExactly(new Answer.Value<>(17_700L));
    }

    // open-gpu-kernel-modules #1333
    @Test
    void aDriverInWhichEveryCallBlocksBlocksThoseAlone() throws Exception {
        Gpu gpu = gpu(0);
        Hang hang = driver.faults().hang(Faults.ALL, Turns.ALL);
        CompletableFuture<Answer<Long>> power =
                CompletableFuture.supplyAsync(() -> gpu.power().usage());
        CompletableFuture<Answer<Nvml>> another = CompletableFuture.supplyAsync(this::open);
        hang.awaitHeld(2);
        assertThat(power).isNotDone();
        assertThat(another).isNotDone();

        driver.heal();

        assertThat(power.get(20, TimeUnit.SECONDS).value()).isPresent();
        assertThat(another.get(20, TimeUnit.SECONDS).value()).isPresent();
    }

    // HAMi #2321: a wait that fails at once, again and again
    @Test
    void aWaitForEventsThatFailsTellsItsCodeEachTime() {
        Nvml nvml = open().orThrow();
        try (EventSet events = nvml.events().orThrow()) {
            driver.answer("nvmlEventSetWait_v2", NvmlReturn.UNINITIALIZED.code());

            for (int i = 0; i < 3; i++) {
                assertThat(events.await(Duration.ofMinutes(1)))
                        .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlEventSetWait_v2, NvmlReturn.UNINITIALIZED));
            }
        }
    }

    // k8s-device-plugin #259
    @Test
    void anXidThatTheDriverDoesNotKnowIsNone() {
        Nvml nvml = open().orThrow();
        try (EventSet events = nvml.events().orThrow()) {
            events.register(nvml.gpu(2).orThrow(), EventType.XID_CRITICAL_ERROR.bit())
                    .orThrow();
            driver.gpu(2).raiseXid(999);
            driver.gpu(2).raiseXid(62);

            Event unknown = events.await(Duration.ZERO).orThrow().orElseThrow();
            assertThat(unknown.gpu()).hasValue(2);
            assertThat(unknown.xid()).isEmpty();
            assertThat(events.await(Duration.ZERO).orThrow().orElseThrow().xid())
                    .hasValue(62);
        }
    }

    // gpu-monitoring-tools #46, dcgm-exporter #348, datadog-agent #56293
    @Test
    void aLostGpuAnswersGpuIsLostAlsoWhenItIsAttachedAndTheOthersGoOn() {
        Nvml nvml = open().orThrow();
        driver.gpu(3).lose();

        assertThat(nvml.gpu(3))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetHandleByIndex_v2, NvmlReturn.GPU_IS_LOST));
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(8);
        assertThat(nvml.gpu(4).orThrow().power().usage().value()).isPresent();
    }

    // DCGM #152: more than there is
    @Test
    void aShareOfMoreThanAllIsHandedOnForTheCallerToJudge() {
        Gpu gpu = gpu(1);
        GpmSample earlier = gpu.gpm().allocate().orThrow();
        GpmSample later = gpu.gpm().allocate().orThrow();
        gpu.gpm().sample(earlier).orThrow();
        time.addAndGet(Duration.ofSeconds(2).toNanos());
        gpu.gpm().sample(later).orThrow();
        driver.faults().garble("nvmlGpmMetricsGet", Garbage.value(131), Turns.ALL);

        assertThat(gpu.gpm().metrics(earlier, later, List.of(GpmMetric.SM_UTIL)))
                .containsEntry(GpmMetric.SM_UTIL, new Answer.Value<>(131.0));
    }

    // dcgm-exporter #417: a counter of 32 bits that begins anew
    @Test
    void aCounterThatGoesBackIsReadAsItIs() {
        Gpu gpu = gpu(1);
        driver.gpu(1).faults().garble("nvmlDeviceGetPcieReplayCounter", Garbage.value(4_294_967_290L), Turns.nth(1));
        assertThat(gpu.pcie().replays().orThrow()).isEqualTo(4_294_967_290L);

        driver.gpu(1).faults().garble("nvmlDeviceGetPcieReplayCounter", Garbage.value(5), Turns.ALL);
        assertThat(gpu.pcie().replays().orThrow()).isEqualTo(5);
    }

    // DCGM #199, dcgm-exporter #312: 4294967295 %, 200000 %, 4278190080 degrees
    @Test
    void whatTheDriverMakesUpIsHandedOnAndWhatItDoesNotKnowIsNot() {
        Gpu gpu = gpu(1);
        driver.faults().garble("nvmlDeviceGetUtilizationRates", Garbage.value(200_000), Turns.ALL);
        assertThat(gpu.utilization().rates().orThrow().gpu()).isEqualTo(200_000);

        driver.faults().garble("nvmlDeviceGetUtilizationRates", Garbage.ONES, Turns.ALL);
        assertThat(gpu.utilization().rates().value()).isEmpty();
    }

    // HAMi-core #112: the lists of two calls in two pid namespaces
    @Test
    void eachListHasItsOwnProcesses() {
        driver.gpu(1)
                .setProcesses(List.of(
                        new SimulatedProcess(6_000_001, SimulatedProcess.Kind.COMPUTE, 1L << 30),
                        new SimulatedProcess(6_000_002, SimulatedProcess.Kind.GRAPHICS, 1L << 30)));
        Gpu gpu = gpu(1);

        assertThat(gpu.processes().compute().orThrow())
                .extracting(ProcessInfo::pid)
                .containsExactly(6_000_001);
        assertThat(gpu.processes().graphics().orThrow())
                .extracting(ProcessInfo::pid)
                .containsExactly(6_000_002);
    }

    // nvtop #91: no process has used the GPU, and that is no error of the GPU
    @Test
    void utilizationOfProcessesOnAnIdleGpuIsNotFoundAsCaptured() {
        driver.remove("nvmlDeviceGetProcessesUtilizationInfo");

        assertThat(gpu(0).processes().utilization(0))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetProcessUtilization, NvmlReturn.NOT_FOUND));
        assertThat(driver.calls().of("nvmlDeviceGetProcessUtilization", 0)).isPositive();
    }

    // NVSentinel #155: seven of eight
    @Test
    void aGpuThatWasPulledOutIsMissingFromTheCount() {
        driver.gpu(5).remove();

        Nvml nvml = open().orThrow();
        assertThat(nvml.gpuCount().orThrow()).isEqualTo(7);
        assertThat(nvml.gpu(5).orThrow().identity().uuid().orThrow())
                .isEqualTo(driver.gpu(6).uuid());
        assertThat(nvml.gpu(5)
                        .orThrow()
                        .fields()
                        .read(Fields.POWER_INSTANT)
                        .getFirst()
                        .value())
                .isPresent();
    }

    // gpustack #1633: the numbers of two GPUs are swapped from one start to the next
    @Test
    void afterALoadTheOtherWayRoundAGpuIsKnownByItsUuid() {
        Nvml before = open().orThrow();
        String first = before.gpu(0).orThrow().identity().uuid().orThrow();
        before.close();
        driver.life().find(1, 0, 2, 3, 4, 5, 6, 7);
        driver.life().load();

        Nvml nvml = open().orThrow();
        assertThat(nvml.gpu(1).orThrow().identity().uuid().orThrow()).isEqualTo(first);
        assertThat(nvml.gpuByUuid(first).orThrow().identity().pci().orThrow())
                .isEqualTo(nvml.gpu(1).orThrow().identity().pci().orThrow());
    }
}
