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

    /** Waits until so many threads sleep on this clock: those that have been started have done their first work then. */
    synchronized void awaitSleepers(int count) throws InterruptedException {
        while (sleepers() < count) {
            wait();
        }
    }

    /** Moves time on and waits until the threads that this woke have done their work and sleep again. */
    synchronized void step(Duration by) throws InterruptedException {
        int before = sleepers();
        nanos += by.toNanos();
        notifyAll();
        awaitSleepers(before);
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
