// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.time;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A clock that moves only when a test says so; threads that wait for it stand still until then. */
public final class ManualClock implements Clock {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

    private long nanos;
    // Deadlines of the waiting threads; one that has been reached no longer counts, even before its thread woke up.
    private final List<Long> deadlines = new ArrayList<>();

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    @Override
    public synchronized Instant now() {
        return START.plusNanos(nanos);
    }

    @Override
    public synchronized void sleepUntil(long deadline) throws InterruptedException {
        Long mine = deadline;
        deadlines.add(mine);
        try {
            notifyAll();
            while (nanos < deadline) {
                wait();
            }
        } finally {
            deadlines.remove(mine);
        }
    }

    /**
     * Moves time on and wakes whoever has waited long enough.
     *
     * @param by how far
     */
    public synchronized void advance(Duration by) {
        nanos += by.toNanos();
        notifyAll();
    }

    /**
     * Waits until this many threads sleep on this clock, which is how a test knows that they have done their work.
     *
     * @param count how many
     * @param within at most this long, of real time
     * @throws InterruptedException when interrupted
     */
    public synchronized void awaitSleepers(int count, Duration within) throws InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        while (sleepers() < count) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new AssertionError(sleepers() + " threads sleep on the clock, expected " + count);
            }
            wait(left);
        }
    }

    private long sleepers() {
        return deadlines.stream().filter(deadline -> deadline > nanos).count();
    }
}
