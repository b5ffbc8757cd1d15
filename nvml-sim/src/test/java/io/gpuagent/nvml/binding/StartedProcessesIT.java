// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Access;
import io.gpuagent.nvml.Accounting;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.GpuInstance;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.ProcessInfo;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import io.gpuagent.nvml.sim.SimulatedProcess.Kind;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes come and go; memory follows them, and the driver keeps a record where it is told to. */
class StartedProcessesIT {
    private static final long GIB = 1L << 30;
    private static final int SERVER = 5_000_001;
    private static final int CLIENT = 5_000_002;
    private static final int DISPLAY = 5_000_003;

    private final AtomicLong time = new AtomicLong();
    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), time::get);
    private final Nvml nvml =
            Nvml.open(driver, new CallLog(), () -> 0, Access.CONTROL).orThrow();
    private final Gpu gpu = nvml.gpu(0).orThrow();

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    private void advanceSeconds(long seconds) {
        time.addAndGet(seconds * 1_000_000_000L);
    }

    private static List<Integer> pids(Answer<List<ProcessInfo>> list) {
        return list.orThrow().stream().map(ProcessInfo::pid).toList();
    }

    @Test
    void eachKindIsInTheListsThatAnH200ShowsItIn() {
        driver.gpu(0).start(new SimulatedProcess(SERVER, Kind.MPS_SERVER, GIB / 16));
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.MPS, GIB / 2));
        driver.gpu(0).start(new SimulatedProcess(DISPLAY, Kind.GRAPHICS, GIB));

        assertThat(pids(gpu.processes().compute())).containsExactlyInAnyOrder(SERVER, CLIENT);
        assertThat(pids(gpu.processes().mps())).containsExactly(CLIENT);
        assertThat(pids(gpu.processes().graphics())).containsExactly(DISPLAY);
    }

    @Test
    void memoryInUseIsThatOfTheProcesses() {
        long before = gpu.memory().use().orThrow().used();
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, 3 * GIB));
        assertThat(gpu.memory().use().orThrow().used() - before).isEqualTo(3 * GIB);

        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, 5 * GIB));
        assertThat(gpu.memory().use().orThrow().used() - before).isEqualTo(5 * GIB);

        assertThat(driver.gpu(0).stop(CLIENT)).isTrue();
        assertThat(driver.gpu(0).stop(CLIENT)).isFalse();
        assertThat(gpu.memory().use().orThrow().used()).isEqualTo(before);
    }

    @Test
    void instanceOnWhichAProcessRunsOrWhoseNodeIsHeldCannotBeDestroyed() {
        gpu.mig().setMode(true).orThrow();
        int id = driver.gpu(0).mig().create("1g.18gb", 0, "1g.18gb");
        GpuInstance instance = gpu.mig().instance(id).orThrow();
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, GIB, id, 0));
        Answer<?> inUse = new Answer.Refused<>(NvmlFunction.nvmlComputeInstanceDestroy, NvmlReturn.IN_USE);

        assertThat(instance.computeInstance(0).orThrow().destroy()).isEqualTo(inUse);
        driver.gpu(0).stop(CLIENT);
        try (var node = driver.gpu(0).mig().hold(id, 0)) {
            assertThat(node).isNotNull();
            assertThat(instance.computeInstance(0).orThrow().destroy()).isEqualTo(inUse);
        }

        instance.computeInstance(0).orThrow().destroy().orThrow();
        instance.destroy().orThrow();
        assertThat(driver.gpu(0).mig().layout()).isEmpty();
    }

    @Test
    void recordHoldsWhatAProcessWasOverItsLife() {
        gpu.control().accounting(true).orThrow();
        driver.gpu(0).setUtilization(80, 40);
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, 3 * GIB));
        advanceSeconds(10);
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, GIB));
        Accounting.Stats running = gpu.accounting().stats(CLIENT).orThrow();
        assertThat(running.isRunning()).isTrue();
        assertThat(running.activeMillis()).isEmpty();
        assertThat(running.maxMemory()).isEqualTo(OptionalLong.of(3 * GIB));

        driver.gpu(0).setUtilization(20, 10);
        advanceSeconds(10);
        driver.gpu(0).stop(CLIENT);
        advanceSeconds(100);

        Accounting.Stats ended = gpu.accounting().stats(CLIENT).orThrow();
        assertThat(ended.isRunning()).isFalse();
        assertThat(ended.activeMillis()).isEqualTo(OptionalLong.of(20_000));
        assertThat(ended.gpuUtilization()).isEqualTo(OptionalInt.of(50));
        assertThat(ended.memoryUtilization()).isEqualTo(OptionalInt.of(25));
        assertThat(ended.start()).isEqualTo(running.start());
    }

    @Test
    void recordIsClearedOfThoseThatHaveEndedAndForgottenWhenItIsTurnedOff() {
        gpu.control().accounting(true).orThrow();
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, GIB));
        driver.gpu(0).start(new SimulatedProcess(SERVER, Kind.COMPUTE, GIB));
        driver.gpu(0).stop(CLIENT);
        assertThat(gpu.accounting().pids().orThrow()).containsExactly(CLIENT, SERVER);
        assertThat(gpu.accounting().capacity().orThrow()).isEqualTo(4_000);

        gpu.control().clearAccounting().orThrow();
        assertThat(gpu.accounting().pids().orThrow()).containsExactly(SERVER);
        assertThat(gpu.accounting().stats(CLIENT))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetAccountingStats, NvmlReturn.NOT_FOUND));

        gpu.control().accounting(false).orThrow();
        assertThat(gpu.accounting().pids().orThrow()).isEmpty();
    }

    @Test
    void rebootEndsAllProcesses() {
        driver.gpu(0).start(new SimulatedProcess(CLIENT, Kind.COMPUTE, GIB));
        String boot = driver.life().bootId();

        driver.reboot();

        assertThat(nvml.gpuCount())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetCount_v2, NvmlReturn.UNINITIALIZED));
        assertThat(driver.life().bootId()).isNotEqualTo(boot);
        Gpu after = Nvml.open(driver, new CallLog(), () -> 0).orThrow().gpu(0).orThrow();
        assertThat(pids(after.processes().compute())).isEmpty();
    }
}
