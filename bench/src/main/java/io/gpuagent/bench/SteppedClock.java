// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A clock that a benchmark moves, so that the threads that wait for it work when they are to be measured, only then. */
final class SteppedClock implements Clock {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

    private long nanos;
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
     * Moves time on and waits until the threads that this woke have done their work and sleep again.
     *
     * @param by how far
     * @param sleepers how many threads live by this clock
     */
    synchronized void step(Duration by, int sleepers) throws InterruptedException {
        nanos += by.toNanos();
        notifyAll();
        while (sleepers() < sleepers) {
            wait();
        }
    }

    /** A thread whose deadline has come no longer sleeps, even before it wakes up. */
    private int sleepers() {
        int count = 0;
        for (long deadline : deadlines) {
            if (deadline > nanos) {
                count++;
            }
        }
        return count;
    }
}
