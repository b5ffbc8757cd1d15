// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.time.Duration;

/** The agent's pollers over simulated H200s, each of which has been read once; they go on when they are told to. */
final class SimulatedNode implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(5);
    /** Well below a second, so that the threads that look once a second have little part in a round. */
    private static final Duration FAST = Duration.ofMillis(100);
    /** Long enough for no slow round to come in between. */
    private static final Duration SLOW = Duration.ofDays(10_000);

    /** Beside the GPUs' threads: the driver's, and the one that watches calls. */
    private static final int OTHERS = 2;

    private static final PollIntervals INTERVALS = new PollIntervals(FAST, SLOW);

    private final SteppedClock clock = new SteppedClock();
    private final CallLedger ledger = new CallLedger(clock);
    private final DriverLoop driver;

    SimulatedNode(int gpus) throws InterruptedException {
        SimulatedDriver simulated = SimulatedDriver.start(SimProfile.parse("h200x" + gpus), clock::nanos);
        driver = new DriverLoop(NvmlSource.lasting(simulated, "simulation"), ledger, clock, INTERVALS);
        driver.start();
        clock.awaitSleepers(gpus + OTHERS);
    }

    /** Every GPU is read once more: its fast readings. */
    void round() throws InterruptedException {
        clock.step(FAST);
    }

    /** Snapshots of this node, none of which is made yet. */
    Snapshots snapshots() {
        return new Snapshots(driver, ledger, clock, INTERVALS, "bench", true);
    }

    @Override
    public void close() {
        driver.stop();
        try {
            driver.awaitEnd(STOP);
        } catch (InterruptedException e) {
            // The threads are daemons; they end with the JVM.
            Thread.currentThread().interrupt();
        }
    }
}
