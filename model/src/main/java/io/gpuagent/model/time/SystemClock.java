// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.time;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** The machine's clock. */
public final class SystemClock implements Clock {
    /** Stateless, so one is enough. */
    public static final SystemClock INSTANCE = new SystemClock();

    private SystemClock() {}

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void sleepUntil(long deadline) throws InterruptedException {
        // sleep() may return a little early on a coarse timer: go on until the deadline has really passed.
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }
}
