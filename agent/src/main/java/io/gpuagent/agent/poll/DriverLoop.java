// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.model.DriverState;
import io.gpuagent.model.DriverState.Down;
import io.gpuagent.model.DriverState.Reason;
import io.gpuagent.model.DriverState.Up;
import io.gpuagent.model.GpuCondition.State;
import io.gpuagent.model.PollIntervals;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Nvml;
import io.gpuagent.nvml.NvmlLibrary;
import io.gpuagent.nvml.NvmlReturn;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps NVML open: initialises it once, starts a worker per GPU, and begins again with a growing pause when there is no
 * driver, when it was reloaded under us, or when every GPU fails. NVML is never shut down under a call: while a worker
 * hangs, the old session stays.
 */
public final class DriverLoop {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** Ticks in a row that every GPU must fail before the session is given up. */
    private static final int ALL_FAILING_TICKS = 3;

    private static final System.Logger LOG = System.getLogger(DriverLoop.class.getName());

    private final NvmlSource source;
    private final CallLedger ledger;
    private final Clock clock;
    private final PollIntervals intervals;
    private final Thread thread;
    private final AtomicReference<@Nullable NvmlReturn> sessionEnded = new AtomicReference<>();

    private volatile boolean stopping;
    private volatile DriverState state =
            new Down(Reason.STARTING, "the first attempt to reach the driver is under way", null);
    private volatile List<GpuWorker> workers = List.of();
    private String lastLogged = "";
    private final LateCalls lateCalls;

    /**
     * A loop that is not started yet.
     *
     * @param source where NVML comes from
     * @param ledger sees each call
     * @param clock the clock
     * @param intervals how often the tiers are read
     */
    public DriverLoop(NvmlSource source, CallLedger ledger, Clock clock, PollIntervals intervals) {
        this.source = source;
        this.ledger = ledger;
        this.clock = clock;
        this.intervals = intervals;
        this.lateCalls = new LateCalls(ledger);
        this.thread = Thread.ofPlatform().name("driver").daemon().unstarted(this::run);
    }

    /** Starts the thread {@code driver}. */
    public void start() {
        thread.start();
    }

    /** Asks all threads to end and NVML to be shut down; they do so when the calls they are in return. */
    public void stop() {
        stopping = true;
        thread.interrupt();
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

    DriverState state() {
        return state;
    }

    List<GpuWorker> workers() {
        return workers;
    }

    private void run() {
        Duration pause = TICK;
        while (!stopping) {
            try {
                pause = session() ? TICK : pause;
                if (!stopping) {
                    clock.sleepUntil(clock.nanos() + pause.toNanos());
                }
                Duration doubled = pause.multipliedBy(2);
                pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
            } catch (InterruptedException e) {
                // Only stop() interrupts; the loop's condition ends it.
            }
        }
    }

    /**
     * One session, from opening the library to closing it.
     *
     * @return whether NVML was up at all, so that the next attempt need not wait long
     */
    private boolean session() throws InterruptedException {
        NvmlSource.Opened opened;
        try {
            opened = source.open();
        } catch (NvmlLibrary.NotFound e) {
            down(DownReasons.noLibrary(e));
            return false;
        }
        return switch (Nvml.open(opened.symbols(), ledger, clock::nanos)) {
            case Answer.Value<Nvml>(Nvml nvml) -> {
                boolean wasUp = false;
                try {
                    wasUp = begin(nvml, opened.description());
                    if (wasUp) {
                        supervise();
                    }
                } finally {
                    end(nvml, opened);
                }
                yield wasUp;
            }
            case Answer.Refused<Nvml>(var function, NvmlReturn code) -> {
                down(DownReasons.of(function, code, opened.description()));
                opened.close().run();
                yield false;
            }
            case Answer.Unavailable<Nvml> ignored -> throw new IllegalStateException("a session is never unavailable");
        };
    }

    private boolean begin(Nvml nvml, String description) {
        Answer<Integer> count = nvml.gpuCount();
        if (count instanceof Answer.Refused<Integer>(var function, NvmlReturn code)) {
            down(DownReasons.of(function, code, description));
            return false;
        }
        sessionEnded.set(null);
        workers = IntStream.range(0, count.orThrow())
                .mapToObj(index -> new GpuWorker(nvml, index, clock, intervals, sessionEnded::set))
                .toList();
        Up up = new Up(
                nvml.driverVersion().value().orElse(""),
                nvml.nvmlVersion().value().orElse(""),
                nvml.cudaDriverVersion().value().orElse(""),
                description);
        state = up;
        log(
                INFO,
                "NVML " + up.nvmlVersion() + " of driver " + up.driverVersion() + " from " + description + ": "
                        + workers.size() + (workers.size() == 1 ? " GPU" : " GPUs"));
        workers.forEach(GpuWorker::start);
        return true;
    }

    /** Watches the session once a tick until it has to end. */
    private void supervise() throws InterruptedException {
        int failingTicks = 0;
        while (!stopping) {
            clock.sleepUntil(clock.nanos() + TICK.toNanos());
            lateCalls.report();
            NvmlReturn code = sessionEnded.get();
            if (code != null) {
                down(DownReasons.endOfSession(code));
                return;
            }
            boolean allFail = !workers.isEmpty()
                    && workers.stream()
                            .allMatch(worker -> worker.view().condition().state() == State.FAILING);
            failingTicks = allFail ? failingTicks + 1 : 0;
            if (failingTicks >= ALL_FAILING_TICKS) {
                down(DownReasons.allFail(workers.getFirst().view().condition()));
                return;
            }
        }
    }

    private void end(Nvml nvml, NvmlSource.Opened opened) {
        List<GpuWorker> ending = workers;
        ending.forEach(GpuWorker::stop);
        for (GpuWorker worker : ending) {
            while (!ended(worker)) {
                log(WARNING, "a call to GPU " + worker.index() + " has not returned; NVML is not shut down under it");
            }
        }
        workers = List.of();
        if (nvml.close()) {
            opened.close().run();
        } else {
            // Code that NVML may still run is not unloaded; the next session opens the library beside it.
            log(WARNING, "NVML could not be shut down; its library stays loaded");
        }
    }

    private static boolean ended(GpuWorker worker) {
        try {
            return worker.awaitEnd(TICK);
        } catch (InterruptedException e) {
            // stop() was called; the workers are still waited for, and the process has its own deadline.
            return false;
        }
    }

    private void down(Down down) {
        state = down;
        log(WARNING, down.explanation());
    }

    /** The same state again and again is one line. */
    private void log(System.Logger.Level level, String line) {
        if (!line.equals(lastLogged)) {
            lastLogged = line;
            LOG.log(level, "{0}", line);
        }
    }
}
