// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.time.Duration;
import java.util.Optional;

/**
 * How often each tier is read on this node.
 *
 * @param fast from fast read to fast read
 * @param slow from slow read to slow read
 */
public record PollIntervals(Duration fast, Duration slow) {
    /** Every second and every 15 seconds. */
    public static final PollIntervals DEFAULT = new PollIntervals(Duration.ofSeconds(1), Duration.ofSeconds(15));

    /**
     * The interval of a tier.
     *
     * @param tier which
     * @return the interval, empty for {@link Tier#STATIC}
     */
    public Optional<Duration> of(Tier tier) {
        return switch (tier) {
            case FAST -> Optional.of(fast);
            case SLOW -> Optional.of(slow);
            case STATIC -> Optional.empty();
        };
    }

    /**
     * How long a value of a tier may be served after its read: three intervals. A static value has no age limit; it ends
     * with the topology it was read from.
     *
     * @param tier which
     * @return the limit, empty for {@link Tier#STATIC}
     */
    public Optional<Duration> maxAge(Tier tier) {
        return of(tier).map(interval -> interval.multipliedBy(3));
    }
}
