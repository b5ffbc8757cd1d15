// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts the calls under way, in a counter per GPU: threads that each ask a GPU of their own do not wait for each other's
 * counting. A call leaves by the counter it came in by, so none is ever below the number of its calls.
 */
final class InFlight {
    /** Counters; a power of two. Two GPUs may share one. */
    private static final int COUNTERS = 16;
    /** Counters apart, a cache line of 64 bytes each. */
    private static final int STRIDE = 64 / Integer.BYTES;

    private final AtomicIntegerArray counts = new AtomicIntegerArray((COUNTERS + 1) * STRIDE);

    void enter(int gpu) {
        counts.getAndIncrement(place(gpu));
    }

    void leave(int gpu) {
        counts.getAndDecrement(place(gpu));
    }

    /** Whether no call is under way; meant for when no further one is let in. */
    boolean isNone() {
        for (int i = 1; i <= COUNTERS; i++) {
            if (counts.get(i * STRIDE) != 0) {
                return false;
            }
        }
        return true;
    }

    private static int place(int gpu) {
        // The array's own length lies before the first line.
        return ((gpu & COUNTERS - 1) + 1) * STRIDE;
    }
}
