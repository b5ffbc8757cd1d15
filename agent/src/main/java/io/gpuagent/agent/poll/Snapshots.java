// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.AgentFigures;
import io.gpuagent.model.AgentFigures.InFlight;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.DriverState.Down;
import io.gpuagent.model.DriverState.Reason;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the workers have published. A snapshot is made when one is asked for and the last is a second old;
 * making one calls no NVML and waits for no worker.
 */
public final class Snapshots {
    private static final Duration GENERATION = Duration.ofSeconds(1);

    private final DriverLoop driver;
    private final CallLedger ledger;
    private final Clock clock;
    private final PollIntervals intervals;
    private final String version;
    private final boolean simulated;

    private @Nullable NodeSnapshot last;
    private boolean lastIsComplete;

    /**
     * The snapshots of a running loop.
     *
     * @param driver the loop
     * @param ledger its calls
     * @param clock the clock
     * @param intervals how often the tiers are read
     * @param version the agent's version
     * @param simulated whether the GPUs are simulated
     */
    public Snapshots(
            DriverLoop driver,
            CallLedger ledger,
            Clock clock,
            PollIntervals intervals,
            String version,
            boolean simulated) {
        this.driver = driver;
        this.ledger = ledger;
        this.clock = clock;
        this.intervals = intervals;
        this.version = version;
        this.simulated = simulated;
    }

    /**
     * The node now, at most a second old.
     *
     * @return the snapshot
     */
    public synchronized NodeSnapshot current() {
        long now = clock.nanos();
        // What was taken before the first poll was over is not kept: whoever is told "ready" finds the GPUs.
        if (last == null || !lastIsComplete || now - last.takenAtNanos() >= GENERATION.toNanos()) {
            lastIsComplete = ready();
            last = take(now, last == null ? 1 : last.generation() + 1);
        }
        return last;
    }

    /**
     * Whether the first poll is over: each GPU has answered once, has refused to, or is known to hang; or there is no
     * driver to ask.
     *
     * @return true from then on
     */
    public boolean ready() {
        return switch (driver.state()) {
            case DriverState.Up ignored ->
                driver.workers().stream()
                        .allMatch(worker -> !worker.view().polls().isEmpty()
                                || worker.view().condition().state() != State.OK
                                || ledger.running(worker.index())
                                        .filter(CallLedger.Running::late)
                                        .isPresent());
            case Down down -> down.reason() != Reason.STARTING;
        };
    }

    private NodeSnapshot take(long now, long generation) {
        List<GpuWorker> workers = driver.workers();
        return new NodeSnapshot(
                generation,
                now,
                clock.now(),
                driverState(),
                workers.stream().map(worker -> gpu(worker, now)).toList(),
                new AgentFigures(
                        version,
                        simulated,
                        intervals,
                        ledger.counts(),
                        ledger.running().stream()
                                .map(call -> new InFlight(
                                        call.gpu() == CallLedger.DRIVER ? "driver" : Integer.toString(call.gpu()),
                                        call.function().name(),
                                        call.seconds()))
                                .toList(),
                        workers.stream()
                                .flatMap(worker -> worker.view().polls().stream())
                                .toList()));
    }

    private DriverState driverState() {
        Optional<CallLedger.Running> hung = ledger.running(CallLedger.DRIVER).filter(CallLedger.Running::late);
        return hung.<DriverState>map(call -> new Down(Reason.UNRESPONSIVE, "the driver: " + hanging(call), null))
                .orElseGet(driver::state);
    }

    private GpuSnapshot gpu(GpuWorker worker, long now) {
        GpuWorker.View view = worker.view();
        GpuCondition condition = ledger.running(worker.index())
                .filter(CallLedger.Running::late)
                .map(call -> new GpuCondition(State.UNRESPONSIVE, hanging(call)))
                .orElse(view.condition());
        return new GpuSnapshot(view.identity(), condition, view.readings().agedTo(now, intervals));
    }

    private static String hanging(CallLedger.Running call) {
        return String.format(Locale.ROOT, "%s has not returned for %.0f s", call.function(), call.seconds());
    }
}
