// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.model.time.Clock;
import java.time.Duration;

/** Grants so many at once and then one each interval. */
final class TokenBucket {
    private final Clock clock;
    private final long intervalNanos;
    private final int burst;
    private double tokens;
    private long filledAt;

    TokenBucket(Clock clock, Duration interval, int burst) {
        this.clock = clock;
        this.intervalNanos = interval.toNanos();
        this.burst = burst;
        this.tokens = burst;
        this.filledAt = clock.nanos();
    }

    synchronized boolean take() {
        long now = clock.nanos();
        tokens = Math.min(burst, tokens + (double) (now - filledAt) / intervalNanos);
        filledAt = now;
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }

    /** What was taken is not needed. */
    synchronized void giveBack() {
        tokens = Math.min(burst, tokens + 1);
    }
}
