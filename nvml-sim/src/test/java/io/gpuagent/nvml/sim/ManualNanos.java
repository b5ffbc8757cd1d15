// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Simulated time that a test moves by hand. */
final class ManualNanos implements LongSupplier {
    private final AtomicLong now = new AtomicLong(17);

    void advanceSeconds(long seconds) {
        now.addAndGet(seconds * 1_000_000_000L);
    }

    void advanceMillis(long millis) {
        now.addAndGet(millis * 1_000_000L);
    }

    @Override
    public long getAsLong() {
        return now.get();
    }
}
