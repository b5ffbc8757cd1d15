// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.model.DriverState.Down;
import io.gpuagent.model.DriverState.Reason;
import io.gpuagent.model.DriverState.Up;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.EventType;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps NVML open: initialises it once, starts a worker per GPU, and begins again with a growing pause when there is no
 * driver, when it was reloaded under us, or when the GPUs ask for it ({@link SessionVerdict}). NVML is never shut down
 * under a call: where a worker hangs, its session is left open behind a new one ({@link AbandonedSession}), and its GPU is
 * asked nothing until that call has returned.
 */
public final class DriverLoop {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** A session that has lasted this long was a good one: the next attempt need not wait. */
    private static final Duration GOOD_SESSION = Duration.ofMinutes(1);
    /** In real time: how long workers are waited for before their session is left open. */
    private static final Duration END_OF_WORKERS = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(DriverLoop.class.getName());

    private final NvmlSource source;
    private final CallLedger ledger;
    private final Clock clock;
    private final PollIntervals intervals;
    private final QuietLog log;
    private final CallWatch watch;
    private final EventWatch events;
    private final Gate gate = new Gate();
    private final SessionVerdict verdict;
    private final Thread thread;
    private final AtomicReference<@Nullable NvmlReturn> sessionEnded = new AtomicReference<>();
    private final List<AbandonedSession> abandoned = new ArrayList<>();

    /** How an attempt ended. */
    private enum SessionEnd {
        /** After a while, so that the next need not wait long. */
        LASTED,
        /** Soon, or it did not begin. */
        FAILED,
        /** Because somebody needs NVML shut down for a moment. */
        ON_REQUEST
    }

    private volatile boolean stopping;
    private volatile Session session =
            Session.down(new Down(Reason.STARTING, "the first attempt to reach the driver is under way", null));

    /**
     * A loop that is not started yet.
     *
     * @param source where NVML comes from
     * @param ledger sees each call
     * @param clock the clock
     * @param intervals how often the tiers are read
     * @param onEvent gets the events of GPUs, on the thread that fetches them; must not wait
     */
    public DriverLoop(
            NvmlSource source, CallLedger ledger, Clock clock, PollIntervals intervals, Consumer<GpuEvent> onEvent) {
        this.source = source;
        this.ledger = ledger;
        this.clock = clock;
        this.intervals = intervals;
        this.log = new QuietLog(LOG, clock);
        this.watch = new CallWatch(ledger, clock);
        this.events = new EventWatch(clock, log, event -> {
            if (event.type().equals(Optional.of(EventType.MIG_CONFIG_CHANGE))) {
                event.gpu().ifPresent(gpu -> topologyChanged(gpu.uuid()));
            }
            onEvent.accept(event);
        });
        this.verdict = new SessionVerdict(clock);
        this.thread = Thread.ofPlatform().name("driver").daemon().unstarted(this::run);
    }

    /** Starts the threads {@code driver}, {@code call-watch} and {@code nvml-events}. */
    public void start() {
        thread.start();
        watch.start();
        events.start();
    }

    /** Asks all threads to end and NVML to be shut down; they do so when the calls they are in return. */
    public void stop() {
        stopping = true;
        thread.interrupt();
        watch.stop();
        events.stop();
    }

    /**
     * How far NVML's events can be relied on.
     *
     * @return the status now
     */
    public EventStatus events() {
        return events.status();
    }

    /**
     * Waits for the end.
     *
     * @param within at most this long, in real time: a call that hangs never returns
     * @return whether all has ended and NVML is shut down
     * @throws InterruptedException when interrupted
     */
    public boolean awaitEnd(Duration within) throws InterruptedException {
        return thread.getState() == Thread.State.NEW || thread.join(within);
    }

    Session session() {
        return session;
    }

    Gate gate() {
        return gate;
    }

    /**
     * Has a GPU read anew in its next round: handles, what it supports, and its MIG instances. For when it is known to
     * have changed, such as by an event of the driver.
     *
     * @param uuid the GPU's UUID; one that is not polled is ignored
     */
    public void topologyChanged(String uuid) {
        session.workers().stream()
                .filter(worker -> worker.view().identity().uuid().equals(uuid))
                .forEach(GpuWorker::topologyChanged);
    }

    /**
     * Has the slow readings of a GPU read in its next round, because something has happened to it.
     *
     * @param uuid the GPU's UUID; one that is not polled is ignored
     */
    public void readSoon(String uuid) {
        session.workers().stream()
                .filter(worker -> worker.view().identity().uuid().equals(uuid))
                .forEach(GpuWorker::readSoon);
    }

    private void run() {
        Duration pause = TICK;
        while (!stopping || !abandoned.isEmpty()) {
            try {
                if (stopping) {
                    awaitAbandoned();
                } else {
                    SessionEnd end = attempt();
                    if (end == SessionEnd.ON_REQUEST) {
                        pause = TICK;
                        continue;
                    }
                    pause = end == SessionEnd.LASTED ? TICK : pause;
                    clock.sleepUntil(clock.nanos() + pause.toNanos());
                    Duration doubled = pause.multipliedBy(2);
                    pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
                }
            } catch (InterruptedException e) {
                // Only stop() interrupts; the loop's condition ends it.
            }
        }
    }

    /** While stopping: the process has its own deadline, and this thread ends when NVML could be shut down. */
    private void awaitAbandoned() throws InterruptedException {
        abandoned.getFirst().awaitWorkers(TICK);
        abandoned.removeIf(AbandonedSession::tryEnd);
    }

    /**
     * One session, from opening the library to closing it; a fault of our own ends the session, not the thread.
     *
     * @return how it ended
     */
    private SessionEnd attempt() throws InterruptedException {
        try {
            return attemptOrThrow();
        } catch (RuntimeException | Error e) {
            log.say(ERROR, "a session with NVML failed in the agent itself: " + e, e);
            session = Session.down(new Down(Reason.FAILED, "reading NVML fails in the agent itself: " + e, null));
            return SessionEnd.FAILED;
        }
    }

    private SessionEnd attemptOrThrow() throws InterruptedException {
        abandoned.removeIf(AbandonedSession::tryEnd);
        long number = gate.open();
        if (number == 0) {
            // Nothing is wrong: the next look comes after the shortest pause.
            session = Session.down(DownReasons.RELEASED);
            return SessionEnd.LASTED;
        }
        NvmlSource.Opened opened;
        try {
            opened = open(number);
        } catch (NvmlLibrary.NotFound e) {
            gate.closed(number);
            unreachable(DownReasons.noLibrary(e));
            return SessionEnd.FAILED;
        }
        return switch (Nvml.open(opened.symbols(), ledger, clock::nanos)) {
            case Answer.Value<Nvml>(Nvml nvml) -> run(nvml, opened, number);
            case Answer.Refused<Nvml>(var function, NvmlReturn code) -> {
                unreachable(DownReasons.of(function, code, opened.description()));
                opened.close().run();
                yield SessionEnd.FAILED;
            }
            case Answer.Unavailable<Nvml> ignored -> throw new IllegalStateException("a session is never unavailable");
        };
    }

    /** The library; whoever closes it has shut NVML down before. */
    private NvmlSource.Opened open(long number) throws NvmlLibrary.NotFound {
        NvmlSource.Opened opened = source.open();
        return new NvmlSource.Opened(opened.symbols(), opened.description(), () -> {
            opened.close().run();
            gate.closed(number);
        });
    }

    private SessionEnd run(Nvml nvml, NvmlSource.Opened opened, long number) throws InterruptedException {
        long begun = clock.nanos();
        boolean isOnRequest = false;
        try {
            if (begin(nvml, opened.description())) {
                isOnRequest = supervise(nvml, number);
            }
        } finally {
            end(nvml, opened, isOnRequest);
        }
        if (isOnRequest) {
            return SessionEnd.ON_REQUEST;
        }
        return clock.nanos() - begun >= GOOD_SESSION.toNanos() ? SessionEnd.LASTED : SessionEnd.FAILED;
    }

    private boolean begin(Nvml nvml, String description) {
        Answer<Integer> count = nvml.gpuCount();
        if (count instanceof Answer.Refused<Integer>(var function, NvmlReturn code)) {
            down(DownReasons.of(function, code, description));
            return false;
        }
        sessionEnded.set(null);
        verdict.begin();
        events.begin(nvml);
        List<GpuWorker> workers = new ArrayList<>();
        for (int index = 0; index < count.orThrow(); index++) {
            workers.add(unlessHung(nvml, index));
        }
        Up up = new Up(
                nvml.driverVersion().value().orElse(""),
                nvml.nvmlVersion().value().orElse(""),
                nvml.cudaDriverVersion().value().orElse(""),
                description);
        session = new Session(up, workers);
        log.say(
                INFO,
                "NVML " + up.nvmlVersion() + " of driver " + up.driverVersion() + " from " + description + ": "
                        + workers.size() + (workers.size() == 1 ? " GPU" : " GPUs"));
        workers.stream().filter(worker -> stillHung(worker.index()).isEmpty()).forEach(GpuWorker::start);
        return true;
    }

    private GpuWorker unlessHung(Nvml nvml, int index) {
        return stillHung(index).orElseGet(() -> worker(nvml, index));
    }

    private GpuWorker worker(Nvml nvml, int index) {
        Optional<GpuWorker.View> known = session.workers().stream()
                .filter(worker -> worker.index() == index)
                .map(GpuWorker::view)
                .findFirst();
        return new GpuWorker(
                nvml, index, new GpuWorker.Tools(clock, intervals, log, gate, events, sessionEnded::set), known);
    }

    /** The worker of an earlier session that is still in a call to this GPU, which must get no second one. */
    private Optional<GpuWorker> stillHung(int index) {
        return abandoned.stream().flatMap(old -> old.hung(index).stream()).findFirst();
    }

    /** Watches the session once a tick until it has to end; whether because somebody asked for it. */
    private boolean supervise(Nvml nvml, long number) throws InterruptedException {
        while (!stopping) {
            clock.sleepUntil(clock.nanos() + TICK.toNanos());
            abandoned.removeIf(AbandonedSession::tryEnd);
            replaceEnded(nvml);
            NvmlReturn code = sessionEnded.get();
            if (code != null) {
                down(DownReasons.endOfSession(code));
                return false;
            }
            if (gate.mustEnd(number)) {
                return true;
            }
            Optional<GpuCondition> bad = verdict.look(session.workers().stream()
                    .map(worker -> worker.view().condition())
                    .toList());
            if (bad.isPresent()) {
                down(DownReasons.gpusFail(bad.get()));
                return false;
            }
        }
        return false;
    }

    /** Gives each GPU whose worker has ended, such as one of an earlier session that hung, a worker of this one. */
    private void replaceEnded(Nvml nvml) {
        List<GpuWorker> before = session.workers();
        if (before.stream().allMatch(GpuWorker::isAlive)) {
            return;
        }
        List<GpuWorker> workers = before.stream()
                .map(worker -> worker.isAlive() ? worker : worker(nvml, worker.index()))
                .toList();
        session = new Session(session.state(), workers);
        workers.stream().filter(worker -> !before.contains(worker)).forEach(GpuWorker::start);
    }

    private void end(Nvml nvml, NvmlSource.Opened opened, boolean isOnRequest) {
        List<GpuWorker> ending = session.workers().stream()
                .filter(worker -> stillHung(worker.index()).isEmpty())
                .toList();
        ending.forEach(GpuWorker::stop);
        events.end();
        AbandonedSession ended = new AbandonedSession(nvml, opened, ending);
        ended.awaitWorkersCalmly(END_OF_WORKERS);
        if (!ended.tryEnd()) {
            abandoned.add(ended);
            log.say(WARNING, "NVML is not shut down under a call that has not returned; " + ended.describe());
        }
        if (isOnRequest) {
            // What is known stays on show until the next session, at once, knows better.
            return;
        }
        if (session.state() instanceof Up) {
            session = Session.down(new Down(Reason.STARTING, "NVML is being opened again", null));
        } else {
            session = new Session(session.state(), List.of());
        }
    }

    /** No session could be begun. */
    private void unreachable(Down down) {
        session = Session.down(down);
        log.say(WARNING, down.explanation());
    }

    private void down(Down down) {
        session = new Session(down, session.workers());
        log.say(WARNING, down.explanation());
    }
}
