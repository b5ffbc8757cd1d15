// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the latest facts on a thread of its own, at most twice a second, however much has changed in between: a disk that
 * takes half a minute for a write holds nobody up, and there is never more than one set of facts to wait for it.
 */
public final class StoreWriter implements AutoCloseable {
    /** At most so often. */
    static final Duration PERIOD = Duration.ofMillis(500);
    /** A disk that failed is tried again after so long. */
    static final Duration RETRY = Duration.ofSeconds(10);

    private final HealthStore store;
    private final Clock clock;
    private final Consumer<Status> listener;
    private final AtomicReference<@Nullable NodeFacts> latest = new AtomicReference<>();
    private final Thread thread;

    private volatile boolean isClosed;
    private boolean isResting;
    private long storedRevision = -1;
    private @Nullable Status told;

    /**
     * How storing goes.
     *
     * @param isWritten whether the last write succeeded
     * @param detail one sentence: what failed and what would be right; empty where all is well
     */
    public record Status(boolean isWritten, String detail) {}

    private StoreWriter(HealthStore store, Clock clock, Consumer<Status> listener) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("health-store").unstarted(this::run);
    }

    /**
     * Starts.
     *
     * @param store where to
     * @param clock the time
     * @param listener hears, on the writer's thread, when storing fails and when it works again
     * @return the writer
     */
    public static StoreWriter start(HealthStore store, Clock clock, Consumer<Status> listener) {
        StoreWriter writer = new StoreWriter(store, clock, listener);
        writer.thread.start();
        return writer;
    }

    /**
     * Hands the latest facts over; never waits.
     *
     * @param facts the facts
     */
    public void offer(NodeFacts facts) {
        latest.set(facts);
    }

    /**
     * Waits until facts are on the disk.
     *
     * @param revision their revision
     * @param within at most so long, of real time
     * @return whether they are
     * @throws InterruptedException when interrupted
     */
    public boolean awaitStored(long revision, Duration within) throws InterruptedException {
        long deadline = clock.nanos() + within.toNanos();
        synchronized (this) {
            while (storedRevision < revision) {
                long left = (deadline - clock.nanos()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        }
    }

    private void run() {
        try {
            boolean isWritten = writeLatest();
            while (mayRest(true)) {
                clock.sleepUntil(clock.nanos() + (isWritten ? PERIOD : RETRY).toNanos());
                mayRest(false);
                isWritten = writeLatest();
            }
        } catch (InterruptedException closed) {
            // Woken to end: what is left is written below.
            mayRest(false);
        }
        // A channel that an interrupted thread uses closes itself, so a mark that came late is taken away first.
        if (Thread.interrupted() || isClosed) {
            writeLatest();
        }
    }

    /** Only a thread that rests is woken by an interrupt: one that writes would find its channel closed. */
    private synchronized boolean mayRest(boolean wants) {
        isResting = wants && !isClosed;
        return isResting;
    }

    private boolean writeLatest() {
        NodeFacts facts = latest.get();
        if (facts == null || facts.revision() == stored()) {
            return true;
        }
        try {
            store.write(facts, new Moment(clock.nanos(), clock.now()));
        } catch (IOException | RuntimeException e) {
            tell(new Status(
                    false,
                    "incidents are kept in memory only, for they cannot be stored: " + e
                            + "; make room, or see who owns the folder"));
            return false;
        }
        synchronized (this) {
            storedRevision = facts.revision();
            notifyAll();
        }
        tell(new Status(true, ""));
        return true;
    }

    private synchronized long stored() {
        return storedRevision;
    }

    private void tell(Status status) {
        if (!status.equals(told)) {
            told = status;
            listener.accept(status);
        }
    }

    /** Writes what is left, and ends; waits at most two seconds for a disk that hangs. */
    @Override
    public void close() {
        synchronized (this) {
            isClosed = true;
            if (isResting) {
                thread.interrupt();
            }
        }
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
