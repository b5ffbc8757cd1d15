// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.CallObserver;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlFunction;
import io.gpuagent.nvml.NvmlReturn;
import io.gpuagent.nvml.ProcessInfo;
import io.gpuagent.nvml.Processes;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of processes that change between the call that tells their length and the one that reads them. */
class ChurnIT {
    private static final NvmlFunction V3 = NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3;

    private final SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
    private Processes processes;
    private int calls;
    /** How many start after each call. */
    private int growth;

    private int running;

    @BeforeEach
    void open() {
        CallObserver starter = new CallObserver() {
            @Override
            public void before(NvmlFunction function, int gpu) {}

            @Override
            public void after(NvmlFunction function, int gpu, int code, long nanos) {
                if (function == V3) {
                    calls++;
                    run(Math.max(0, running + growth));
                }
            }
        };
        processes =
                Nvml.open(driver, starter, () -> 0).orThrow().gpu(0).orThrow().processes();
    }

    @AfterEach
    void simulatorItselfDidNotFail() {
        assertThat(driver.calls().failures()).isEmpty();
    }

    private void run(int count) {
        running = count;
        driver.gpu(0)
                .setProcesses(IntStream.range(0, count)
                        .mapToObj(i -> new SimulatedProcess(
                                SimulatedProcess.FIRST_PID + i, SimulatedProcess.Kind.COMPUTE, 1L << 20))
                        .toList());
    }

    @Test
    void listThatFitsTakesOneCall() {
        run(32);

        assertThat(processes.compute().orThrow()).hasSize(32);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void listOfOneMoreTakesTwoAndIsWhole() {
        run(33);

        assertThat(processes.compute().orThrow())
                .extracting(ProcessInfo::pid)
                .hasSize(33)
                .doesNotHaveDuplicates()
                .allMatch(pid -> pid >= SimulatedProcess.FIRST_PID);
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void fewThatStartInBetweenFindRoom() {
        run(40);
        growth = 8;

        assertThat(processes.compute().orThrow()).hasSize(48);
        assertThat(calls).isEqualTo(2);
    }

    @Test
    void manyThatStartInBetweenTakeFurtherCalls() {
        run(40);
        growth = 9;

        Answer<List<ProcessInfo>> restless = processes.compute();
        assertThat(restless).isEqualTo(new Answer.Refused<>(V3, NvmlReturn.INSUFFICIENT_SIZE));
        assertThat(calls).isEqualTo(5);

        growth = 0;
        assertThat(processes.compute().orThrow()).as("once they are at rest").hasSize(running);
    }

    @Test
    void thoseThatEndInBetweenAreNotListed() {
        run(200);
        growth = -150;

        assertThat(processes.compute().orThrow()).hasSize(50);
    }

    @Test
    void processesThatHaveEndedLeaveNoTrace() {
        run(30);
        processes.compute();
        run(2);

        assertThat(processes.compute().orThrow()).hasSize(2);
        run(0);
        assertThat(processes.compute().orThrow()).isEmpty();
    }
}
