// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import java.time.Duration;

/** A thread that looks at one daemon once a second. */
final class DaemonWatch {
    private static final System.Logger LOG = System.getLogger(DaemonWatch.class.getName());
    // A look may wait for a command of 10 s; it goes on behind that, and ends with this process.
    private static final Duration PATIENCE = Duration.ofSeconds(12);
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final String id;
    private final ManagedDaemon daemon;
    private final Clock clock;
    private final Thread thread;
    private boolean asleep;
    private boolean ending;
    private String complaint = "";

    DaemonWatch(String id, ManagedDaemon daemon, Clock clock) {
        this.id = id;
        this.daemon = daemon;
        this.clock = clock;
        thread = Thread.ofPlatform().daemon().name("mps-" + id).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                look();
                if (!sleeps(true)) {
                    return;
                }
                clock.sleepUntil(clock.nanos() + EVERY.toNanos());
                if (!sleeps(false)) {
                    return;
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean sleeps(boolean begins) {
        asleep = begins;
        return !ending;
    }

    /** A look that fails is not the last one: a full disk or a lost permission may come right again. */
    private void look() {
        try {
            daemon.look();
            complaint = "";
        } catch (MpsException e) {
            String sentence = String.valueOf(e.getMessage());
            if (!sentence.equals(complaint)) {
                LOG.log(System.Logger.Level.WARNING, "MPS daemon {0}: {1}", id, sentence);
                complaint = sentence;
            }
        }
    }

    /** Interrupts a sleep and never a look: that would break off a command, and close the logs that it reads. */
    void end() {
        synchronized (this) {
            ending = true;
            if (asleep) {
                thread.interrupt();
            }
        }
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
