// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import org.jspecify.annotations.Nullable;

/** A buffer that a caller has allocated, and the counters that were last put into it. */
final class GpmSample {
    /**
     * The counters at one time.
     *
     * @param target the GPU or the GPU instance that they are of
     * @param second when
     * @param gpuPercentSeconds the utilization of every second before, added up
     * @param memoryPercentSeconds likewise of the memory
     * @param gpuPercent utilization in this second
     * @param memoryPercent likewise of the memory
     */
    record Counters(
            Object target,
            long second,
            double gpuPercentSeconds,
            double memoryPercentSeconds,
            double gpuPercent,
            double memoryPercent) {
        /** Mean utilization since older counters; within one second nothing moves. */
        double meanGpuPercent(Counters older) {
            return second == older.second
                    ? gpuPercent
                    : (gpuPercentSeconds - older.gpuPercentSeconds) / (second - older.second);
        }

        double meanMemoryPercent(Counters older) {
            return second == older.second
                    ? memoryPercent
                    : (memoryPercentSeconds - older.memoryPercentSeconds) / (second - older.second);
        }
    }

    private volatile @Nullable Counters counters;

    void take(Counters now) {
        counters = now;
    }

    Counters counters() {
        @Nullable Counters taken = counters;
        if (taken == null) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return taken;
    }
}
