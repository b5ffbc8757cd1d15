// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How often something is read, by what the call costs on a real card (an H200 under driver 580): microseconds, every
 * second; milliseconds or a round trip to the GPU's system processor, every 15 s; what never changes, once per topology.
 */
public enum Tier {
    /** Every second. */
    FAST(Duration.ofSeconds(1)),
    /** Every 15 seconds. */
    SLOW(Duration.ofSeconds(15)),
    /** Once, and again when the topology changes. */
    STATIC(null);

    private final @Nullable Duration interval;

    Tier(@Nullable Duration interval) {
        this.interval = interval;
    }

    /**
     * Time from read to read.
     *
     * @return the interval, empty for {@link #STATIC}
     */
    public Optional<Duration> interval() {
        return Optional.ofNullable(interval);
    }

    /**
     * How long a value of this tier may be served after its read: three intervals. A static value has no age limit; it
     * ends with the topology it was read from.
     *
     * @return the limit, empty for {@link #STATIC}
     */
    public Optional<Duration> maxAge() {
        return interval().map(i -> i.multipliedBy(3));
    }
}
