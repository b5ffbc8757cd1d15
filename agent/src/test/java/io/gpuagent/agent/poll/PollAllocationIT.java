// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.gpuagent.model.AgentFigures.CallCount;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Tier;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a fast round leaves for the collector: the agent's heap is small, and each of eight GPUs is read once a second. The
 * real pollers make real downcalls, to a library whose functions do not allocate ({@link ReplayedLibrary}); if one did,
 * it would count here, too. The interpreter and both compilers allocate the same (3.4 KiB), so this JVM's flags do not
 * matter.
 */
class PollAllocationIT {
    private static final long BOUND_BYTES = 4096;
    /** Method handles are compiled anew once they have been called 127 times, which allocates. */
    private static final int WARM_UP = 300;

    private static final int ROUNDS = 200;
    /** No slow round comes in between. */
    private static final PollIntervals FAST_ONLY = new PollIntervals(Duration.ofSeconds(1), Duration.ofDays(10_000));

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void aSteadyFastRoundAllocatesLessThanFourKibibytesOnTheGpusThread() throws InterruptedException {
        try (PolledNode node = PolledNode.of("h200", FAST_ONLY, ReplayedLibrary::new)) {
            node.driver.gpu(0).setProcesses(List.of(process(0), process(1)));
            node.loop.start();
            node.settle();
            long worker = threadOfGpu(0);
            node.passSeconds(WARM_UP);
            long before = THREADS.getThreadAllocatedBytes(worker);

            node.passSeconds(ROUNDS);

            long perRound = (THREADS.getThreadAllocatedBytes(worker) - before) / ROUNDS;
            assertThat(perRound).as("bytes per round").isPositive().isLessThan(BOUND_BYTES);
            assertThat(node.ledger.counts())
                    .as("each round asked")
                    .contains(new CallCount("nvmlDeviceGetUtilizationRates", "NVML_SUCCESS", 1 + WARM_UP + ROUNDS));
            assertThat(node.gpu(0).readings().value(ReadingKeys.processes(ProcessType.COMPUTE)))
                    .as("what it answered is read")
                    .hasValueSatisfying(list -> assertThat(list).hasSize(2));
            assertThat(ReadingKeys.ALL.stream().filter(key -> key.tier() == Tier.FAST))
                    .allSatisfy(key -> assertThat(node.gpu(0).readings().value(key))
                            .as(key.name())
                            .isPresent());
        }
    }

    private static SimulatedProcess process(int number) {
        return new SimulatedProcess(SimulatedProcess.FIRST_PID + number, SimulatedProcess.Kind.COMPUTE, 1L << 30);
    }

    private static long threadOfGpu(int gpu) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("gpu-" + gpu))
                .findFirst()
                .orElseThrow()
                .threadId();
    }
}
