// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

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
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes all calls to one GPU, on one thread: fast readings each interval, slow ones when they are due, static ones once.
 * When a call does not return, this thread waits for it and nobody else does; the GPU gets no second call meanwhile.
 *
 * <p>What a GPU does not support is remembered and not asked again until MIG is switched, the session ends, or
 * {@link #ASK_AGAIN} has passed.
 */
final class GpuWorker {
    /** Support can change without a sign, for example when another tool turns a feature on. */
    static final Duration ASK_AGAIN = Duration.ofMinutes(10);

    /** Codes after which no call of the session will succeed again. */
    private static final Set<NvmlReturn> SESSION_ENDED =
            Set.of(NvmlReturn.UNINITIALIZED, NvmlReturn.DRIVER_NOT_LOADED, NvmlReturn.LIB_RM_VERSION_MISMATCH);

    private static final System.Logger LOG = System.getLogger(GpuWorker.class.getName());

    private final Nvml nvml;
    private final int index;
    private final Clock clock;
    private final PollIntervals intervals;
    private final Consumer<NvmlReturn> onSessionEnded;
    private final Thread thread;

    private volatile boolean stopping;
    private volatile View view;

    // Of the worker's own thread.
    private @Nullable Gpu gpu;
    private final Set<ReadingKey<?>> unsupported = new HashSet<>();
    private boolean staticRead;
    private long nextSlow;
    private long nextAskAgain;

    /**
     * What this worker has published.
     *
     * @param identity the GPU; its UUID is empty until the GPU has told it
     * @param condition whether it answers, as far as its last round could tell
     * @param readings what it answered last
     * @param polls how its tiers went
     */
    record View(GpuIdentity identity, GpuCondition condition, Readings readings, List<Poll> polls) {}

    GpuWorker(Nvml nvml, int index, Clock clock, PollIntervals intervals, Consumer<NvmlReturn> onSessionEnded) {
        this.nvml = nvml;
        this.index = index;
        this.clock = clock;
        this.intervals = intervals;
        this.onSessionEnded = onSessionEnded;
        this.view = new View(new GpuIdentity(index, ""), GpuCondition.OK, Readings.EMPTY, List.of());
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

    /** Waits in real time: what is awaited is a thread, not a moment. */
    boolean awaitEnd(Duration within) throws InterruptedException {
        return thread.join(within);
    }

    View view() {
        return view;
    }

    private void run() {
        long next = clock.nanos();
        try {
            while (!stopping) {
                Gpu attached = attached();
                if (attached != null) {
                    round(attached);
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

    /** The GPU's handle; taken on this thread because taking it can hang with the GPU. */
    private @Nullable Gpu attached() {
        if (gpu == null) {
            switch (nvml.gpu(index)) {
                case Answer.Value<Gpu>(Gpu found) -> identify(found);
                case Answer.Refused<Gpu> refused -> {
                    reportEndOfSession(refused.code());
                    publish(view.identity(), unreachable(refused.code()), Readings.EMPTY, view.polls());
                }
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
            reportEndOfSession(refused.code());
            publish(view.identity(), unreachable(refused.code()), Readings.EMPTY, view.polls());
        }
    }

    private void round(Gpu attached) {
        long start = clock.nanos();
        if (start >= nextAskAgain) {
            unsupported.clear();
            nextAskAgain = start + ASK_AGAIN.toNanos();
        }
        Round round = new Round(view.readings().toBuilder());
        Map<Tier, Double> seconds = new EnumMap<>(Tier.class);
        for (Tier tier : due(start)) {
            long begun = clock.nanos();
            Probes.ALL.stream().filter(probe -> probe.tier() == tier).forEach(probe -> round.ask(probe, attached));
            seconds.put(tier, (clock.nanos() - begun) / 1e9);
        }
        Readings readings = round.readings.build();
        if (migSwitched(view.readings(), readings)) {
            unsupported.clear();
            staticRead = false;
        }
        GpuCondition condition = round.condition();
        publish(view.identity(), condition, readings, polls(seconds, condition.state() == State.OK));
    }

    private List<Tier> due(long now) {
        List<Tier> tiers = new ArrayList<>(List.of(Tier.FAST));
        if (now >= nextSlow) {
            tiers.add(Tier.SLOW);
            nextSlow = now + intervals.slow().toNanos();
        }
        if (!staticRead) {
            tiers.add(Tier.STATIC);
            staticRead = true;
        }
        return tiers;
    }

    private static boolean migSwitched(Readings before, Readings after) {
        Optional<Boolean> was = before.value(ReadingKeys.MIG_MODE).map(Mode::current);
        Optional<Boolean> is = after.value(ReadingKeys.MIG_MODE).map(Mode::current);
        return was.isPresent() && is.isPresent() && !was.equals(is);
    }

    private List<Poll> polls(Map<Tier, Double> seconds, boolean success) {
        Instant now = clock.now();
        List<Poll> polls = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            Optional<Poll> last =
                    view.polls().stream().filter(poll -> poll.tier() == tier).findFirst();
            Double took = seconds.get(tier);
            if (took != null) {
                Optional<Instant> lastSuccess = success ? Optional.of(now) : last.flatMap(Poll::lastSuccess);
                polls.add(new Poll(view.identity(), tier, lastSuccess, took));
            } else {
                last.ifPresent(polls::add);
            }
        }
        return polls;
    }

    private void publish(GpuIdentity identity, GpuCondition condition, Readings readings, List<Poll> polls) {
        State before = view.condition().state();
        view = new View(identity, condition, readings, polls);
        if (condition.state() != before) {
            String name = "GPU " + index + (identity.uuid().isEmpty() ? "" : " (" + identity.uuid() + ")");
            if (condition.state() == State.OK) {
                LOG.log(INFO, "{0} answers again", name);
            } else {
                LOG.log(WARNING, "{0}: {1}", name, condition.detail());
            }
        }
    }

    private void reportEndOfSession(NvmlReturn code) {
        if (SESSION_ENDED.contains(code)) {
            onSessionEnded.accept(code);
        }
    }

    private static GpuCondition unreachable(NvmlReturn code) {
        if (code.equals(NvmlReturn.GPU_IS_LOST)) {
            return new GpuCondition(
                    State.LOST,
                    "it has fallen off the bus (" + code.cName() + "); a reset or a reboot may bring it back");
        }
        if (code.equals(NvmlReturn.RESET_REQUIRED)) {
            return new GpuCondition(
                    State.RESET_REQUIRED, "it needs a reset before it can be used (" + code.cName() + ")");
        }
        return new GpuCondition(State.FAILING, "its calls fail with " + code.cName());
    }

    /** One round's answers, and what they say about the GPU as a whole. */
    private final class Round implements Probe.Answers {
        private final Readings.Builder readings;
        private int answered;
        private @Nullable NvmlReturn fatal;
        private @Nullable NvmlReturn failure;

        Round(Readings.Builder readings) {
            this.readings = readings;
        }

        void ask(Probe probe, Gpu attached) {
            if (!unsupported.containsAll(probe.keys())) {
                probe.ask().accept(attached, this);
            } else {
                answered++;
            }
        }

        @Override
        public <T> void put(ReadingKey<T> key, Answer<T> answer) {
            Reading<T> reading = Probe.reading(answer, clock.nanos());
            readings.put(key, reading);
            if (answer instanceof Answer.Refused<T>(var function, NvmlReturn code)) {
                refused(key, reading, code);
            } else {
                answered++;
            }
        }

        private <T> void refused(ReadingKey<T> key, Reading<T> reading, NvmlReturn code) {
            Absence why = reading instanceof Reading.Absent<T> absent ? absent.why() : Absence.FAILED;
            switch (why) {
                case NOT_SUPPORTED, NO_SUCH_FUNCTION -> {
                    answered++;
                    unsupported.add(key);
                }
                case NO_PERMISSION -> answered++;
                case GPU_LOST -> fatal = code;
                default -> {
                    failure = code;
                    reportEndOfSession(code);
                }
            }
        }

        @Override
        public <T> void reject(ReadingKey<T> key, String value) {
            answered++;
            readings.put(key, Reading.absent(Absence.OUT_OF_RANGE, value, clock.nanos()));
        }

        GpuCondition condition() {
            if (fatal != null) {
                return unreachable(fatal);
            }
            return answered == 0 && failure != null ? unreachable(failure) : GpuCondition.OK;
        }
    }
}
