// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.concurrent.atomic.AtomicLong;

/** Something that was told to go wrong in some calls, and how many there have been since. */
final class Fault<T> {
    private final T what;
    private final Turns turns;
    private final AtomicLong calls = new AtomicLong();

    Fault(T what, Turns turns) {
        this.what = what;
        this.turns = turns;
    }

    T what() {
        return what;
    }

    Turns turns() {
        return turns;
    }

    /** The number of one more call. */
    long count() {
        return calls.incrementAndGet();
    }
}
