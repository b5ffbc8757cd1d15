// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.nvml.Event;
import io.gpuagent.nvml.Gpu;
import io.gpuagent.nvml.Nvml;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the events of all GPUs, on a thread of its own that lives as long as the agent: all that are there, then a
 * pause. It does not wait inside NVML, which may come back early, or at once with the same error for ever, and which
 * nobody can wake for a stop. Each GPU is registered on its own thread, because that call can hang with the GPU.
 *
 * <p>A set that fails is given up for a new one, with a growing pause: after a reset or a reload of the driver it is
 * stale, and once a registered GPU is lost it answers GPU_IS_LOST without saying which. Nothing is concluded from that
 * here: each GPU's own reads tell how it is.
 */
final class EventWatch {
    /** How late an event may be seen. */
    static final Duration LOOK = Duration.ofMillis(200);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Clock clock;
    private final QuietLog log;
    private final Consumer<GpuEvent> sink;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile @Nullable Watching watching;

    // Of the watch's own thread.
    private Duration pause = LOOK;

    EventWatch(Clock clock, QuietLog log, Consumer<GpuEvent> sink) {
        this.clock = clock;
        this.log = log;
        this.sink = sink;
        this.thread = Thread.ofPlatform().name("nvml-events").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Asks the thread to end; it does so when the call it is in returns. */
    void stop() {
        stopping = true;
        thread.interrupt();
    }

    /** A session begins. */
    void begin(Nvml nvml) {
        watching = new Watching(nvml);
    }

    /** The session is over; its set ends with it. */
    void end() {
        watching = null;
    }

    /**
     * Registers a GPU, if it is not yet. To be called each round on the GPU's own thread while the GPU is well: it costs
     * nothing when there is nothing to do.
     */
    void register(Gpu handle, GpuIdentity gpu) {
        Watching now = watching;
        if (now != null) {
            now.register(handle, gpu)
                    .ifPresent(why -> log.say(INFO, "GPU " + gpu.index() + " tells no events: " + why));
        }
    }

    EventStatus status() {
        Watching now = watching;
        return now == null ? EventStatus.down() : now.status();
    }

    private void run() {
        while (!stopping) {
            try {
                look();
                clock.sleepUntil(clock.nanos() + pause.toNanos());
            } catch (InterruptedException e) {
                // Only stop() interrupts; the loop's condition ends it.
            }
        }
    }

    /** A fault of our own costs this look, never the watch. */
    private void look() {
        Watching now = watching;
        if (now == null) {
            pause = LOOK;
            return;
        }
        Optional<String> failure;
        try {
            failure = now.fetch(this::pass);
        } catch (RuntimeException | Error e) {
            log.say(ERROR, "fetching the events of NVML failed in the agent itself: " + e, e);
            failure = now.giveUp("fetching them fails in the agent itself: " + e);
        }
        if (failure.isPresent()) {
            Duration doubled = pause.multipliedBy(2);
            pause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
            log.say(WARNING, "no events from NVML for now: " + failure.get());
        } else {
            pause = LOOK;
        }
    }

    private void pass(Event event, Optional<GpuIdentity> gpu) {
        sink.accept(new GpuEvent(
                clock.now(),
                gpu,
                event.bits(),
                event.type(),
                event.xid(),
                event.gpuInstanceId(),
                event.computeInstanceId()));
    }
}
