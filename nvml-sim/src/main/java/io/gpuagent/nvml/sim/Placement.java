// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Where an instance lies: a GPU instance in memory slices of its GPU, a compute instance in compute slices of its GPU
 * instance.
 *
 * @param start its first slice
 * @param size how many slices
 */
record Placement(int start, int size) {
    int end() {
        return start + size;
    }

    boolean overlaps(Placement other) {
        return start < other.end() && other.start < end();
    }
}
