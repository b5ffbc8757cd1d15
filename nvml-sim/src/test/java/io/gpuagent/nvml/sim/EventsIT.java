// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event sets: what is told, to whom, and how long one waits for it on a clock that stands still until it is moved. */
class EventsIT {
    private static final long ALL = 0xFF9F;

    private final ManualNanos time = new ManualNanos();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200x2"), time);
    private final RawNvml nvml = new RawNvml(driver);
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final Guarded data = nvml.struct("nvmlEventData_t");
    private long set;

    @BeforeEach
    void registerForAllEventsOfBothGpus() {
        nvml.call("nvmlInit_v2");
        set = newSet();
        assertThat(register(0, ALL)).isZero();
        assertThat(register(1, ALL)).isZero();
    }

    @AfterEach
    void nothingWasWrittenElsewhere() {
        callers.shutdownNow();
        nvml.close();
        assertThat(driver.calls().failures()).isEmpty();
    }

    private long newSet() {
        Guarded handle = nvml.bytes(8);
        assertThat(nvml.call("nvmlEventSetCreate", handle)).isZero();
        return handle.getLong(0);
    }

    private int register(int gpu, long types) {
        return nvml.call("nvmlDeviceRegisterEvents", nvml.device(gpu), types, set);
    }

    private int poll() {
        return nvml.call("nvmlEventSetWait_v2", set, data, 0);
    }

    /** Waits on a thread of its own, and comes back when that thread sleeps. */
    private Future<Integer> waiting(int millis) throws InterruptedException {
        Future<Integer> code = callers.submit(() -> nvml.call("nvmlEventSetWait_v2", set, data, millis));
        driver.awaitEventWaiters(1);
        return code;
    }

    @Test
    void xidsAreToldInTheirOrderWithGpuAndNumber() {
        driver.gpu(1).raiseXid(79);
        driver.gpu(0).raiseXid(31, 2, 0);

        assertThat(poll()).isZero();
        assertThat(data.get("device")).isEqualTo(nvml.device(1));
        assertThat(data.get("eventType")).isEqualTo(Event.XID);
        assertThat(data.get("eventData")).isEqualTo(79);
        assertThat((int) data.get("gpuInstanceId")).isEqualTo(-1);
        assertThat(poll()).isZero();
        assertThat(data.get("eventData")).isEqualTo(31);
        assertThat(data.get("gpuInstanceId")).isEqualTo(2);
        assertThat(data.get("computeInstanceId")).isZero();
        assertThat(poll()).isEqualTo(Code.TIMEOUT);
    }

    @Test
    void errorsOfInstancesAreForThoseWhoMayMonitorThem() {
        driver.grant(Set.of());
        driver.gpu(0).raiseXid(31, 2, 0);
        assertThat(poll()).isEqualTo(Code.TIMEOUT);

        driver.gpu(0).raiseXid(48);
        assertThat(poll()).isZero();
        assertThat(data.get("eventData")).isEqualTo(48);
    }

    @Test
    void changesOfTheCardRaiseTheirEvents() {
        driver.gpu(0).state().addUncorrectedErrors(1);
        driver.gpu(0).state().addCorrectedErrors(1);
        driver.gpu(0).state().setRecoveryAction(1);
        RawMig mig = new RawMig(nvml, 0);
        mig.mode(1);
        long instance = mig.created(19, 0, 1);
        nvml.call("nvmlComputeInstanceDestroy", mig.createdCompute(instance, 0));
        nvml.call("nvmlGpuInstanceDestroy", instance);

        for (long type : new long[] {0x2, 0x1, 0x8000, 0x100, 0x100, 0x100, 0x100, 0x100}) {
            assertThat(poll()).isZero();
            assertThat(data.get("eventType")).isEqualTo(type);
            assertThat(data.get("eventData")).isZero();
        }
        assertThat(poll()).isEqualTo(Code.TIMEOUT);
    }

    @Test
    void nothingIsToldOfWhatWasNotAskedOrCameBefore() {
        set = newSet();
        driver.gpu(0).raiseXid(48);
        register(0, Event.XID);
        driver.gpu(0).state().addUncorrectedErrors(1);
        driver.gpu(1).raiseXid(48);

        assertThat(poll()).isEqualTo(Code.TIMEOUT);
    }

    @Test
    void oneUnknownTypeAndNoneIsRegistered() {
        set = newSet();
        assertThat(register(0, Event.XID | 0x20)).isEqualTo(Code.NOT_SUPPORTED);
        driver.gpu(0).raiseXid(48);

        assertThat(poll()).isEqualTo(Code.TIMEOUT);
        assertThat(nvml.call("nvmlDeviceRegisterEvents", nvml.device(0), Event.XID, 0L))
                .isEqualTo(Code.INVALID_ARGUMENT);
    }

    @Test
    void migDevicesHaveNoEvents() {
        driver.gpu(0).mig().setMode(true);
        driver.gpu(0).mig().create("1g.18gb", 0, "1g.18gb");
        long device = new RawMig(nvml, 0).devices().getFirst();

        assertThat(nvml.call("nvmlDeviceRegisterEvents", device, Event.XID, set))
                .isEqualTo(Code.NOT_SUPPORTED);
    }

    @Test
    void whoWaitsIsWokenByAnEvent() throws InterruptedException, ExecutionException {
        Future<Integer> code = waiting(60_000);
        driver.gpu(0).raiseXid(119);

        assertThat(code.get()).isZero();
        assertThat(data.get("eventData")).isEqualTo(119);
    }

    @Test
    void theTimeoutIsOnTheClockOfTheSimulator() throws InterruptedException, ExecutionException {
        Future<Integer> code = waiting(5_000);
        time.advanceSeconds(4);
        driver.advance();
        driver.awaitEventWaiters(1);
        assertThat(code.isDone()).isFalse();

        time.advanceSeconds(1);
        driver.advance();
        assertThat(code.get()).isEqualTo(Code.TIMEOUT);
    }

    @Test
    void onARealClockTheTimeoutPassesByItself() {
        SimulatedDriver real = SimulatedDriver.start(SimProfile.parse("h200"), System::nanoTime);
        try (RawNvml realNvml = new RawNvml(real)) {
            realNvml.call("nvmlInit_v2");
            Guarded handle = realNvml.bytes(8);
            realNvml.call("nvmlEventSetCreate", handle);
            long before = System.nanoTime();
            assertThat(realNvml.call("nvmlEventSetWait_v2", handle.getLong(0), realNvml.struct("nvmlEventData_t"), 20))
                    .isEqualTo(Code.TIMEOUT);
            assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
        }
    }

    @Test
    void stepsOfAScenarioHappenWhileTheOnlyCallerWaits() {
        SimulatedDriver real = SimulatedDriver.start(SimProfile.parse("h200"), System::nanoTime);
        try (RawNvml realNvml = new RawNvml(real)) {
            realNvml.call("nvmlInit_v2");
            Guarded handle = realNvml.bytes(8);
            Guarded told = realNvml.struct("nvmlEventData_t");
            realNvml.call("nvmlEventSetCreate", handle);
            realNvml.call("nvmlDeviceRegisterEvents", realNvml.device(0), ALL, handle.getLong(0));
            real.play(Scenario.parse("xid.yaml", "- {at: 300ms, gpu: 0, do: xid, code: 63}", 1));

            assertThat(realNvml.call("nvmlEventSetWait_v2", handle.getLong(0), told, 600_000))
                    .isZero();
            assertThat(told.get("eventData")).isEqualTo(63);
        }
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsNotLost() throws InterruptedException, ExecutionException {
        CompletableFuture<Boolean> wasInterrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            nvml.call("nvmlEventSetWait_v2", set, data, 60_000);
            wasInterrupted.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        driver.awaitEventWaiters(1);
        caller.interrupt();
        driver.gpu(0).raiseXid(8);

        assertThat(wasInterrupted.get()).isTrue();
    }

    @Test
    void freeingASetAndShuttingDownEndTheWait() throws InterruptedException, ExecutionException {
        Future<Integer> freed = waiting(60_000);
        assertThat(nvml.call("nvmlEventSetFree", set)).isZero();
        assertThat(freed.get()).isEqualTo(Code.INVALID_ARGUMENT);
        assertThat(poll()).isEqualTo(Code.INVALID_ARGUMENT);

        set = newSet();
        Future<Integer> shutDown = waiting(60_000);
        nvml.call("nvmlShutdown");
        assertThat(shutDown.get()).isEqualTo(Code.UNINITIALIZED);
    }

    @Test
    void aLostGpuIsToldWithoutItsName() throws InterruptedException, ExecutionException {
        Future<Integer> code = waiting(60_000);
        driver.gpu(1).lose();

        assertThat(code.get()).isZero();
        assertThat(data.get("eventType")).isEqualTo(Event.GPU_UNAVAILABLE);
        assertThat(poll()).isEqualTo(Code.GPU_IS_LOST);
        assertThat(poll()).as("again and again").isEqualTo(Code.GPU_IS_LOST);
        driver.gpu(1).heal();
        assertThat(poll()).isEqualTo(Code.TIMEOUT);
    }

    @Test
    void theFirstVersionOfTheCallWritesTheFirstVersionOfTheStruct() {
        driver.gpu(0).raiseXid(13);
        Guarded old = nvml.bytes(24);

        assertThat(nvml.call("nvmlEventSetWait", set, old, 0)).isZero();
        assertThat(old.getLong(16)).isEqualTo(13);
    }

    @Test
    void aStormIsToldToTheLast() {
        for (int i = 0; i < 10_000; i++) {
            driver.gpu(0).raiseXid(1 + i % 100);
        }
        int told = 0;
        while (poll() == 0) {
            told++;
        }
        assertThat(told).isEqualTo(10_000);
    }
}
