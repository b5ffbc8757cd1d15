// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A clock on which pauses pass at once, and deadlines only when a test says so. What watches a deadline is known by the
 * name of its thread.
 */
final class PatientClock implements Clock {
    private static final Instant START = Instant.parse("2026-12-01T00:00:00Z");

    private final List<Duration> pauses = new ArrayList<>();
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
        if (!Thread.currentThread().getName().equals("mig-deadline")) {
            pauses.add(Duration.ofNanos(deadline - nanos));
            nanos = Math.max(nanos, deadline);
            notifyAll();
            return;
        }
        while (nanos < deadline) {
            wait();
        }
    }

    synchronized void advance(Duration by) {
        nanos += by.toNanos();
        notifyAll();
    }

    synchronized List<Duration> pauses() {
        return List.copyOf(pauses);
    }
}
