// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.function.LongSupplier;

/** The time that a simulated machine lives by, counted from when it was first switched on. */
final class SimulatedClock {
    /** When simulated time starts, in microseconds since 1970: the day on which the H200 was captured. */
    private static final long EPOCH_MICROS = 1_796_095_303_000_000L;

    private final LongSupplier nanos;
    private final long startNanos;

    SimulatedClock(LongSupplier nanos, long startNanos) {
        this.nanos = nanos;
        this.startNanos = startNanos;
    }

    /** On the clock that was given, whose zero may be anywhere. */
    long startNanos() {
        return startNanos;
    }

    long elapsedNanos() {
        return nanos.getAsLong() - startNanos;
    }

    /** Whole seconds since the start. */
    long second() {
        return Math.max(0, elapsedNanos() / 1_000_000_000L);
    }

    /** Simulated microseconds since 1970. */
    long epochMicros() {
        return EPOCH_MICROS + elapsedNanos() / 1_000;
    }
}
