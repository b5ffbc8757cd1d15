// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * A clock on which pauses pass at once, and deadlines only when a test says so. What watches a deadline is known by the
 * name of its thread.
 */
public final class PatientClock implements Clock {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");
    private static final Set<String> WATCHES = Set.of("mig-deadline", "change-deadline");

    private long nanos;

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
        if (!WATCHES.contains(Thread.currentThread().getName())) {
            nanos = Math.max(nanos, deadline);
            notifyAll();
            return;
        }
        while (nanos < deadline) {
            wait();
        }
    }

    /** Lets time pass. */
    public synchronized void advance(Duration by) {
        nanos += by.toNanos();
        notifyAll();
    }
}
