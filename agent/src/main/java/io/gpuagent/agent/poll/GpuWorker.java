// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.model.Absence;
import io.gpuagent.model.AgentFigures.Poll;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.Mode;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Readings;
import io.gpuagent.model.Tier;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlReturn;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes all calls to one GPU, on one thread: fast readings each interval, slow ones when they are due, static ones once.
 * When a call does not return, this thread waits for it and nobody else does; the GPU gets no second call meanwhile.
 *
 * <p>What a GPU does not support is remembered and not asked again until MIG is switched, the session ends, or
 * {@link #ASK_AGAIN} has passed. A GPU that is lost or fails is attached anew from time to time: after a reset, old
 * handles are stale.
 */
final class GpuWorker {
    /** Support can change without a sign, for example when another tool turns a feature on. */
    static final Duration ASK_AGAIN = Duration.ofMinutes(10);
    /** How long a GPU may be lost or failing under the same handle. */
    private static final Duration ATTACH_AGAIN = Duration.ofSeconds(15);

    /** Codes after which no call of the session will succeed again. */
    private static final Set<NvmlReturn> SESSION_ENDED =
            Set.of(NvmlReturn.UNINITIALIZED, NvmlReturn.DRIVER_NOT_LOADED, NvmlReturn.LIB_RM_VERSION_MISMATCH);

    private static final GpuCondition NOT_READ_YET = new GpuCondition(State.STARTING, "it has not been read yet");

    private final Nvml nvml;
    private final int index;
    private final Clock clock;
    private final PollIntervals intervals;
    private final QuietLog log;
    private final Gate gate;
    private final EventWatch events;
    private final Consumer<NvmlReturn> onSessionEnded;
    private final Thread thread;
    private final MigPoll mig;
    private final AtomicBoolean isTopologyChanged = new AtomicBoolean();
    private final AtomicBoolean isSlowWanted = new AtomicBoolean();

    private volatile boolean stopping;
    private volatile View view;

    // Of the worker's own thread.
    private @Nullable Gpu gpu;
    private final Set<ReadingKey<?>> unsupported = new HashSet<>();
    private boolean readStaticAgain;
    private long nextSlow;
    private long nextAskAgain;
    private long nextAttach;
    private long returned;

    /** What all workers share. */
    record Tools(
            Clock clock,
            PollIntervals intervals,
            QuietLog log,
            Gate gate,
            EventWatch events,
            Consumer<NvmlReturn> onSessionEnded) {}

    /**
     * What this worker has published.
     *
     * @param identity the GPU; its UUID is empty until the GPU has told it
     * @param condition whether it answers, as far as its last round could tell
     * @param readings what it answered last
     * @param polls how its tiers went
     */
    record View(GpuIdentity identity, GpuCondition condition, Readings readings, List<Poll> polls) {}

    /**
     * A worker that is not started yet.
     *
     * @param known what a worker of an earlier session has published of the GPU, to be shown until this one knows better
     */
    GpuWorker(Nvml nvml, int index, Tools tools, Optional<View> known) {
        this.nvml = nvml;
        this.index = index;
        this.clock = tools.clock();
        this.intervals = tools.intervals();
        this.log = tools.log();
        this.gate = tools.gate();
        this.events = tools.events();
        this.onSessionEnded = tools.onSessionEnded();
        this.view = known.orElse(new View(new GpuIdentity(index, ""), NOT_READ_YET, Readings.EMPTY, List.of()));
        this.mig = new MigPoll(clock, log);
        this.readStaticAgain = known.isPresent();
        this.returned = gate.returned(index);
        this.thread = Thread.ofPlatform().name("gpu-" + index).daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Asks the thread to end; it does so when the call it is in returns. */
    void stop() {
        stopping = true;
        thread.interrupt();
    }

    int index() {
        return index;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** Waits in real time: what is awaited is a thread, not a moment. */
    boolean awaitEnd(Duration within) throws InterruptedException {
        return thread.join(within);
    }

    View view() {
        return view;
    }

    /** Whether it has been let go of for a change. */
    boolean isReleased() {
        return gate.isHeld(index);
    }

    /** Has the slow readings read in the next round. */
    void readSoon() {
        isSlowWanted.set(true);
    }

    /** Has the GPU read anew in the next round. */
    void topologyChanged() {
        isTopologyChanged.set(true);
    }

    private void run() {
        long next = clock.nanos();
        nextSlow = next;
        nextAskAgain = next + ASK_AGAIN.toNanos();
        nextAttach = next;
        try {
            while (!stopping) {
                if (gate.enter(index)) {
                    try {
                        forgetWhatChanged();
                        roundOrFailure();
                    } finally {
                        gate.leave(index);
                    }
                }
                // Rounds that could not be made in time are left out, not caught up with.
                long interval = intervals.fast().toNanos();
                next += Math.max(1, Math.ceilDiv(clock.nanos() - next, interval)) * interval;
                clock.sleepUntil(next);
            }
        } catch (InterruptedException e) {
            // Only stop() interrupts, and the thread ends here.
            Thread.currentThread().interrupt();
        }
    }

    private void forgetWhatChanged() {
        long now = gate.returned(index);
        if (isTopologyChanged.getAndSet(false) || now != returned) {
            returned = now;
            gpu = null;
            mig.forget();
            readAllAgain(clock.nanos());
        }
    }

    /** Everything may have changed: what is supported, and what never changes otherwise. */
    private void readAllAgain(long now) {
        unsupported.clear();
        readStaticAgain = true;
        nextSlow = now;
    }

    /** A fault of our own ends the round, never the polling of the GPU, and is not taken for health. */
    private void roundOrFailure() {
        try {
            Gpu attached = attached();
            if (attached != null) {
                round(attached);
                if (!stopping && view.condition().state() == State.OK) {
                    events.register(attached, view.identity());
                }
            }
        } catch (RuntimeException | Error e) {
            log.say(ERROR, "GPU " + index + ": a round of reads failed in the agent itself: " + e, e);
            publish(
                    view.identity(),
                    new GpuCondition(State.FAILING, "reading it fails in the agent itself: " + e),
                    view.readings(),
                    view.polls());
        }
    }

    /** The GPU's handle; taken on this thread because taking it can hang with the GPU. */
    private @Nullable Gpu attached() {
        long now = clock.nanos();
        State state = view.condition().state();
        if (gpu != null && state != State.OK && state != State.STARTING && now - nextAttach >= 0) {
            gpu = null;
            mig.forget();
        }
        if (gpu == null) {
            nextAttach = now + ATTACH_AGAIN.toNanos();
            switch (nvml.gpu(index)) {
                case Answer.Value<Gpu>(Gpu found) -> identify(found);
                case Answer.Refused<Gpu> refused -> unreachable(refused.code());
                case Answer.Unavailable<Gpu> ignored ->
                    throw new IllegalStateException("a handle is never unavailable");
            }
        }
        return gpu;
    }

    private void identify(Gpu found) {
        Answer<String> uuid = found.identity().uuid();
        if (uuid instanceof Answer.Value<String>(String text)) {
            gpu = found;
            view = new View(new GpuIdentity(index, text), view.condition(), view.readings(), view.polls());
        } else if (uuid instanceof Answer.Refused<String> refused) {
            unreachable(refused.code());
        }
    }

    private void unreachable(NvmlReturn code) {
        reportEndOfSession(code);
        publish(view.identity(), DownReasons.ofGpu(code), view.readings(), view.polls());
    }

    private void round(Gpu attached) {
        long start = clock.nanos();
        if (start - nextAskAgain >= 0) {
            unsupported.clear();
            mig.readAgain();
            nextAskAgain = start + ASK_AGAIN.toNanos();
        }
        boolean slow = isSlowWanted.getAndSet(false) || start - nextSlow >= 0;
        if (slow) {
            nextSlow = start + intervals.slow().toNanos();
        }
        Round round = new Round(view.readings().toBuilder(), clock);
        Map<Tier, TierPolls.Result> results = new EnumMap<>(Tier.class);
        boolean all = slow || readStaticAgain;
        for (Tier tier : all ? Tier.values() : new Tier[] {Tier.FAST}) {
            ask(tier, attached, round).ifPresent(result -> results.put(tier, result));
            if (stopping) {
                return;
            }
        }
        readStaticAgain = false;
        Readings readings = round.readings();
        unsupported.addAll(round.unsupported());
        round.failure().ifPresent(this::reportEndOfSession);
        boolean isLayoutChanged = mig.takeChanged();
        if (isLayoutChanged || migSwitched(view.readings(), readings)) {
            readAllAgain(start);
        }
        if (mig.isOutdated()) {
            nextSlow = start;
        }
        mig.stale().ifPresent(layout -> gate.renewFor(index, layout));
        publish(
                view.identity(),
                round.verdict().map(DownReasons::ofGpu).orElse(GpuCondition.OK),
                readings,
                TierPolls.after(view, results, clock.now()));
    }

    /** Asks what is due of a tier; of the static one, what is not known yet. */
    private Optional<TierPolls.Result> ask(Tier tier, Gpu attached, Round round) {
        long begun = clock.nanos();
        int answeredBefore = round.answered();
        boolean asked = false;
        for (Probe probe : Probes.ALL) {
            if (probe.tier() == tier && !isUnsupported(probe) && (tier != Tier.STATIC || open(probe))) {
                probe.ask().accept(attached, round);
                asked = true;
            }
            if (stopping) {
                return Optional.empty();
            }
        }
        switch (tier) {
            case FAST -> mig.fast(round);
            case SLOW -> mig.slow(attached, round);
            case STATIC -> {}
        }
        return asked
                ? Optional.of(new TierPolls.Result(round.answered() > answeredBefore, (clock.nanos() - begun) / 1e9))
                : Optional.empty();
    }

    private boolean isUnsupported(Probe probe) {
        // By index: an iterator per probe and round would be a good part of what a round allocates.
        for (int i = 0; i < probe.keys().size(); i++) {
            if (!unsupported.contains(probe.keys().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** A value that never changes is asked for until the driver has given it, or has said that there is none. */
    private boolean open(Probe probe) {
        return readStaticAgain
                || probe.keys().stream()
                        .anyMatch(key -> view.readings().get(key) instanceof Reading.Absent<?> absent
                                && (absent.why() == Absence.NOT_READ_YET
                                        || absent.why() == Absence.FAILED
                                        || absent.why() == Absence.GPU_LOST));
    }

    private static boolean migSwitched(Readings before, Readings after) {
        Optional<Boolean> was = before.value(ReadingKeys.MIG_MODE).map(Mode::current);
        Optional<Boolean> is = after.value(ReadingKeys.MIG_MODE).map(Mode::current);
        return was.isPresent() && is.isPresent() && !was.equals(is);
    }

    private void publish(GpuIdentity identity, GpuCondition condition, Readings readings, List<Poll> polls) {
        State before = view.condition().state();
        view = new View(identity, condition, readings, polls);
        if (condition.state() != before) {
            String name = "GPU " + index + (identity.uuid().isEmpty() ? "" : " (" + identity.uuid() + ")");
            if (condition.state() != State.OK) {
                log.say(WARNING, name + ": " + condition.detail());
            } else if (before != State.STARTING) {
                log.say(INFO, name + " answers again");
            }
        }
    }

    private void reportEndOfSession(NvmlReturn code) {
        if (SESSION_ENDED.contains(code)) {
            onSessionEnded.accept(code);
        }
    }
}
