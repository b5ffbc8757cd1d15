// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One fast round of all GPUs by the agent's own pollers, from waking them to the last one's sleep. The baseline is the
 * same waking and sleeping of as many threads that read nothing.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class PollRoundBench {
    private static final Duration STEP = Duration.ofMillis(100);

    /** How many GPUs the node has; each has a thread of its own. */
    @Param({"1", "8"})
    public int gpus;

    private PolledNode node;
    private SteppedClock idleClock;
    private List<Thread> idle;

    /** Starts the pollers and the threads of the baseline. */
    @Setup(Level.Trial)
    public void start() throws InterruptedException {
        node = PolledNode.simulated(gpus);
        idleClock = new SteppedClock();
        idle = new ArrayList<>();
        for (int i = 0; i < gpus; i++) {
            idle.add(Thread.ofPlatform().daemon().start(this::sleepAgainAndAgain));
        }
        idleClock.awaitSleepers(gpus);
    }

    private void sleepAgainAndAgain() {
        try {
            for (long next = STEP.toNanos(); ; next += STEP.toNanos()) {
                idleClock.sleepUntil(next);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends all threads. */
    @TearDown(Level.Trial)
    public void stop() {
        node.close();
        idle.forEach(Thread::interrupt);
    }

    /** Wakes the threads and waits for them. */
    @Benchmark
    public void baselineWakeUp() throws InterruptedException {
        idleClock.step(STEP);
    }

    /** Reads every GPU. */
    @Benchmark
    public void fastRound() throws InterruptedException {
        node.round();
    }
}
