// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.time;

import java.time.Instant;

/**
 * The only source of time and the only way to wait for it. Everything that measures an age, meets a deadline or keeps an
 * interval takes a clock, so that a test can run half an hour in moments and can hold all workers still.
 */
public interface Clock {
    /**
     * Monotonic time in nanoseconds; only differences mean something.
     *
     * @return nanoseconds since an arbitrary start
     */
    long nanos();

    /**
     * The time of day, for people and for series that carry a timestamp; it may jump.
     *
     * @return now
     */
    Instant now();

    /**
     * Waits until {@link #nanos()} has reached {@code deadline}; returns at once when it already has.
     *
     * @param deadline a value of {@link #nanos()}
     * @throws InterruptedException when the waiting thread is interrupted
     */
    void sleepUntil(long deadline) throws InterruptedException;
}
