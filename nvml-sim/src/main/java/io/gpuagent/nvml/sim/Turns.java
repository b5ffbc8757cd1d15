// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Which calls a fault meets, counted from when it was told; the first is 1.
 *
 * @param first the first one that it meets
 * @param every of how many calls from there on it meets one
 * @param times how many it meets before it is over; {@link #FOREVER} where it does not end by itself
 */
public record Turns(long first, long every, long times) {
    /** A number of {@link #times} that is never reached. */
    public static final long FOREVER = Long.MAX_VALUE;

    /** Every call. */
    public static final Turns ALL = new Turns(1, 1, FOREVER);

    /** Checks the numbers. */
    public Turns {
        if (first < 1 || every < 1 || times < 1) {
            throw new IllegalArgumentException(
                    "a fault from call " + first + " on, at every " + every + ". one, " + times + " times, meets none");
        }
    }

    /**
     * The next calls.
     *
     * @param times how many
     * @return those, and then no more
     */
    public static Turns next(long times) {
        return new Turns(1, 1, times);
    }

    /**
     * One call.
     *
     * @param n which
     * @return that one alone
     */
    public static Turns nth(long n) {
        return new Turns(n, 1, 1);
    }

    /**
     * Calls at a distance.
     *
     * @param n such as 3 for the third, the sixth and so on
     * @return those, without an end
     */
    public static Turns every(long n) {
        return new Turns(n, n, FOREVER);
    }

    boolean meets(long call) {
        return call >= first && (call - first) % every == 0 && (call - first) / every < times;
    }

    /** Whether it meets no call after this one. */
    boolean isOver(long call) {
        return times != FOREVER && call >= first && (call - first) / every >= times - 1;
    }
}
