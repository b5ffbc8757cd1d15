// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.INFO;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * NVML let go of for a while, because somebody asked for it: a lasting client of NVML is in the way of a reset, of a change
 * of MIG mode and of a driver upgrade. It is taken up again by itself, so that nobody can forget to.
 */
public final class TimedRelease implements AutoCloseable {
    /** The longest time. */
    public static final Duration LONGEST = Duration.ofHours(2);

    private static final Duration WITHIN = Duration.ofSeconds(2);
    private static final System.Logger LOG = System.getLogger(TimedRelease.class.getName());

    private final GpuReleases releases;
    private final Supplier<List<String>> uuids;
    private final Clock clock;
    private @Nullable Running running;

    /**
     * What is let go of.
     *
     * @param until when it is taken up again
     * @param why who asked and what for
     */
    public record State(Instant until, String why) {}

    private record Running(State state, GpuReleases.Released released, Thread end) {}

    /**
     * Releases on request.
     *
     * @param releases lets go
     * @param uuids of all GPUs that are polled
     * @param clock the time
     */
    public TimedRelease(GpuReleases releases, Supplier<List<String>> uuids, Clock clock) {
        this.releases = releases;
        this.uuids = uuids;
        this.clock = clock;
    }

    /**
     * Lets go, and waits until NVML is shut down; where that is so already, only the time is set anew.
     *
     * @param length for how long
     * @param why who asked and what for
     * @return until when
     * @throws NotReleasedException when a call has not returned within two seconds; NVML is in use as before then
     */
    public synchronized State ask(Duration length, String why) throws NotReleasedException {
        Running before = running;
        GpuReleases.Released released =
                before == null ? releases.release(uuids.get(), GpuReleases.Depth.LIBRARY, WITHIN) : before.released();
        if (before != null) {
            before.end().interrupt();
        }
        State state = new State(clock.now().plus(length), why);
        long deadline = clock.nanos() + length.toNanos();
        Thread end = Thread.ofPlatform().name("release-end").daemon().unstarted(() -> endAt(deadline, released));
        running = new Running(state, released, end);
        end.start();
        LOG.log(INFO, "NVML is let go of until {0}: {1}", state.until(), why);
        return state;
    }

    private void endAt(long deadline, GpuReleases.Released released) {
        try {
            clock.sleepUntil(deadline);
            end(released);
        } catch (InterruptedException e) {
            // Another time was set, or it was ended before.
        }
    }

    private synchronized void end(GpuReleases.Released released) {
        Running now = running;
        if (now != null && now.end() == Thread.currentThread()) {
            running = null;
            released.close();
        }
    }

    /**
     * Takes NVML up again.
     *
     * @return false where it was not let go of
     */
    public synchronized boolean resume() {
        Running now = running;
        if (now == null) {
            return false;
        }
        running = null;
        now.end().interrupt();
        now.released().close();
        return true;
    }

    /**
     * Whether NVML is let go of.
     *
     * @return until when and why; empty where it is not
     */
    public synchronized Optional<State> state() {
        return Optional.ofNullable(running).map(Running::state);
    }

    /** Ends it. */
    @Override
    public void close() {
        resume();
    }
}
