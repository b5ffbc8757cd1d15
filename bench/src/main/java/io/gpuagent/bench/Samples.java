// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.util.List;

/**
 * Measured values.
 *
 * @param sorted ascending, at least one
 */
record Samples(List<Double> sorted) {
    /** Takes a sorted copy. */
    Samples {
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("nothing was measured");
        }
        sorted = sorted.stream().sorted().toList();
    }

    /** The nearest-rank percentile. */
    double percentile(int percent) {
        int rank = Math.ceilDiv(percent * sorted.size(), 100);
        return sorted.get(Math.max(1, rank) - 1);
    }

    double median() {
        return percentile(50);
    }
}
