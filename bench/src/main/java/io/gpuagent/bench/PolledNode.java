// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.poll.CallLedger;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import java.time.Duration;
import java.util.function.Function;

/** The agent's pollers over GPUs, each of which has been read once; they go on when they are told to. */
final class PolledNode implements AutoCloseable {
    private static final Duration STOP = Duration.ofSeconds(5);
    /** Well below a second, so that the threads that look once a second have little part in a round. */
    private static final Duration FAST = Duration.ofMillis(100);
    /** Long enough for no slow round to come in between. */
    private static final Duration SLOW = Duration.ofDays(10_000);

    /** Beside the GPUs' threads: the driver's, the one that watches calls and the one that fetches events. */
    private static final int OTHERS = 3;

    private static final PollIntervals INTERVALS = new PollIntervals(FAST, SLOW);

    private final SteppedClock clock = new SteppedClock();
    private final CallLedger ledger = new CallLedger(clock);
    private final DriverLoop driver;

    private PolledNode(Function<Clock, NvmlSource> source, int gpus) throws InterruptedException {
        driver = new DriverLoop(source.apply(clock), ledger, clock, INTERVALS, event -> {});
        driver.start();
        clock.awaitSleepers(gpus + OTHERS);
    }

    /** Simulated H200s. */
    static PolledNode simulated(int gpus) throws InterruptedException {
        return new PolledNode(
                clock -> NvmlSource.lasting(
                        SimulatedDriver.start(SimProfile.parse("h200x" + gpus), clock::nanos), "simulation"),
                gpus);
    }

    /** The GPUs of a library. */
    static PolledNode of(NvmlSource library, int gpus) throws InterruptedException {
        return new PolledNode(clock -> library, gpus);
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
