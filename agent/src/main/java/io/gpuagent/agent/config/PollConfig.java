// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.time.Duration;

/**
 * How often GPUs are read. A value is served for three intervals, so longer ones also mean later news of a hung GPU.
 *
 * @param fast time from read to read of what costs microseconds
 * @param slow time from read to read of what costs milliseconds
 */
public record PollConfig(Duration fast, Duration slow) {
    /** Shortest {@link #fast}: faster than the driver's own samples brings nothing new. */
    public static final Duration FAST_MIN = Duration.ofMillis(200);

    /** Longest {@link #fast}. */
    public static final Duration FAST_MAX = Duration.ofSeconds(10);

    /** Shortest {@link #slow}. */
    public static final Duration SLOW_MIN = Duration.ofSeconds(1);

    /** Longest {@link #slow}. */
    public static final Duration SLOW_MAX = Duration.ofMinutes(5);

    /** Every second, every 15 seconds. */
    public static final PollConfig DEFAULT = new PollConfig(Duration.ofSeconds(1), Duration.ofSeconds(15));
}
