// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import java.time.Duration;
import java.time.Instant;

/**
 * When something was: by the clock that never jumps, for ages, and by the time of day, for people.
 *
 * @param nanos monotonic time, {@link io.gpuagent.model.time.Clock#nanos()}
 * @param wall the time of day as it was taken for then
 */
public record Moment(long nanos, Instant wall) {
    /**
     * How long ago another moment was.
     *
     * @param earlier that moment
     * @return the time between; negative where it is later
     */
    public Duration since(Moment earlier) {
        return Duration.ofNanos(nanos - earlier.nanos);
    }

    /**
     * Whether this is at least so long after another moment.
     *
     * @param earlier that moment
     * @param time how long
     * @return true where it is
     */
    public boolean isPast(Moment earlier, Duration time) {
        return nanos - earlier.nanos >= time.toNanos();
    }

    /**
     * Another moment's time of day by this one's, which is right after the clock was set.
     *
     * @param other the other moment
     * @return its time of day
     */
    public Instant wallOf(Moment other) {
        return wall.minusNanos(nanos - other.nanos);
    }

    /**
     * The moment a while ago.
     *
     * @param ageNanos how long ago, in nanoseconds
     * @return the moment
     */
    public Moment minusNanos(long ageNanos) {
        return new Moment(nanos - ageNanos, wall.minusNanos(ageNanos));
    }
}
