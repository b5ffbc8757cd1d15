// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.Absence;
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
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what the workers have published. A snapshot is made when one is asked for and the last is a second old;
 * making one calls no NVML and waits for no worker.
 */
public final class Snapshots {
    private static final Duration GENERATION = Duration.ofSeconds(1);
    /** A call under way is normal; one that takes this long is not. */
    private static final Duration WORTH_TELLING = Duration.ofSeconds(1);

    private static final GpuCondition RELEASED =
            new GpuCondition(State.RELEASED, "it is not read while it is being changed");

    private final DriverLoop driver;
    private final CallLedger ledger;
    private final Clock clock;
    private final PollIntervals intervals;
    private final String version;
    private final boolean simulated;

    private @Nullable NodeSnapshot last;
    private boolean lastWasReady;

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
        boolean ready = ready();
        // The moment the first poll is over also makes a new one: whoever is told "ready" finds the GPUs.
        if (last == null || ready != lastWasReady || now - last.takenAtNanos() >= GENERATION.toNanos()) {
            last = take(now, last == null ? 1 : last.generation() + 1);
            lastWasReady = ready;
        }
        return last;
    }

    /**
     * Whether each GPU has been read once, or is known to be lost, to fail or to hang; or there is no driver to ask. It
     * turns false again while NVML is opened anew.
     *
     * @return whether a snapshot tells of every GPU
     */
    public boolean ready() {
        Session session = driver.session();
        return switch (stateOf(session)) {
            case DriverState.Up ignored ->
                session.workers().stream()
                        .allMatch(worker -> worker.view().condition().state() != State.STARTING
                                || worker.isReleased()
                                || late(worker).isPresent());
            case Down down -> down.reason() != Reason.STARTING;
        };
    }

    private Optional<CallLedger.Running> late(GpuWorker worker) {
        return ledger.running(worker.index()).filter(CallLedger.Running::late);
    }

    private NodeSnapshot take(long now, long generation) {
        Session session = driver.session();
        return new NodeSnapshot(
                generation,
                now,
                clock.now(),
                stateOf(session),
                session.workers().stream().map(worker -> gpu(worker, now)).toList(),
                new AgentFigures(
                        version,
                        simulated,
                        intervals,
                        ledger.counts(),
                        ledger.running().stream()
                                .filter(call -> call.nanos() >= WORTH_TELLING.toNanos())
                                .map(call -> new InFlight(
                                        call.gpu() == CallLedger.DRIVER ? "driver" : Integer.toString(call.gpu()),
                                        call.function().name(),
                                        call.seconds()))
                                .toList(),
                        session.workers().stream()
                                .flatMap(worker -> worker.view().polls().stream())
                                .toList()));
    }

    private DriverState stateOf(Session session) {
        return ledger.runningOfDriver()
                .filter(CallLedger.Running::late)
                .<DriverState>map(call -> new Down(Reason.UNRESPONSIVE, "the driver: " + hanging(call), null))
                .orElse(session.state());
    }

    private GpuSnapshot gpu(GpuWorker worker, long now) {
        GpuWorker.View view = worker.view();
        Optional<CallLedger.Running> late = late(worker);
        GpuCondition condition = worker.isReleased() ? RELEASED : view.condition();
        return new GpuSnapshot(
                view.identity(),
                late.map(call -> new GpuCondition(State.UNRESPONSIVE, hanging(call)))
                        .orElse(condition),
                view.readings().agedTo(now, intervals, late.isPresent() ? Absence.UNRESPONSIVE : Absence.TOO_OLD));
    }

    private static String hanging(CallLedger.Running call) {
        return String.format(Locale.ROOT, "%s has not returned for %.0f s", call.function(), call.seconds());
    }
}
