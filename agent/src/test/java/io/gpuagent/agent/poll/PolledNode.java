// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedGpu;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;

/** Simulated GPUs under a driver loop whose clock stands still until a test moves it. */
final class PolledNode implements AutoCloseable {
    private static final Duration REAL_PATIENCE = Duration.ofSeconds(20);
    /** The driver's thread, the call watch and the one that fetches events. */
    private static final int THREADS = 3;

    private static final Duration TICK = Duration.ofSeconds(1);

    final ManualClock clock = new ManualClock();
    final CallLedger ledger = new CallLedger(clock);
    final List<GpuEvent> events = new CopyOnWriteArrayList<>();
    final SimulatedDriver driver;
    final DriverLoop loop;
    final Snapshots snapshots;
    private final int gpus;
    private int hung;

    private PolledNode(SimProfile profile, PollIntervals intervals, UnaryOperator<SymbolSource> library) {
        this.driver = SimulatedDriver.start(profile, clock::nanos);
        this.gpus = profile.gpus();
        this.loop = new DriverLoop(
                NvmlSource.lasting(library.apply(driver), "a simulation"), ledger, clock, intervals, events::add);
        this.snapshots = new Snapshots(loop, ledger, clock, intervals, "test", true);
    }

    /** A node whose loop is not started yet. */
    static PolledNode of(String profile) {
        return of(profile, PollIntervals.DEFAULT);
    }

    static PolledNode of(String profile, PollIntervals intervals) {
        return of(profile, intervals, driver -> driver);
    }

    /** A node whose binding does not call the simulator itself, but what is put before it. */
    static PolledNode of(String profile, PollIntervals intervals, UnaryOperator<SymbolSource> library) {
        return new PolledNode(SimProfile.parse(profile), intervals, library);
    }

    /** A node whose GPUs have all been polled once. */
    static PolledNode polled(String profile) throws InterruptedException {
        PolledNode node = of(profile);
        node.loop.start();
        node.settle();
        return node;
    }

    /** From now on this many GPUs hang and are not waited for. */
    void expectHung(int count) {
        hung = count;
    }

    /** Waits until every thread that can be has done its work and sleeps on the clock. */
    void settle() throws InterruptedException {
        clock.awaitSleepers(THREADS + gpus - hung, REAL_PATIENCE);
    }

    /** Waits until the driver's thread sleeps between two attempts. */
    void settleWithoutDriver() throws InterruptedException {
        clock.awaitSleepers(THREADS, REAL_PATIENCE);
    }

    void passSeconds(int seconds) throws InterruptedException {
        for (int i = 0; i < seconds; i++) {
            clock.advance(TICK);
            settle();
        }
    }

    /** Lets time pass until something holds; for changes whose second depends on which thread looked first. */
    void passUntil(Callable<Boolean> holds) {
        Awaitility.await()
                .atMost(REAL_PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    clock.advance(Duration.ofMillis(250));
                    return holds.call();
                });
    }

    NodeSnapshot now() {
        return snapshots.current();
    }

    GpuSnapshot gpu(int index) {
        return now().gpus().get(index);
    }

    @Override
    public void close() {
        assertThat(driver.calls().failures()).as("the simulator's own faults").isEmpty();
        driver.heal();
        driver.gpus().forEach(SimulatedGpu::heal);
        loop.stop();
        try {
            if (!loop.awaitEnd(REAL_PATIENCE)) {
                throw new AssertionError("the loop did not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while the loop ended", e);
        }
    }
}
