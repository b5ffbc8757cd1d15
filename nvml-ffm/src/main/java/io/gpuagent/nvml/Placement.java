// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * Where an instance lies: for a GPU instance in memory slices of the GPU, for a compute instance in compute slices of
 * its GPU instance. How many slices there are depends on the GPU (8 on most, 4 on an A30, 12 on an RTX PRO 6000) and is
 * the largest {@link #end()} among the possible placements of all profiles.
 *
 * @param start the first slice it takes, from 0
 * @param size how many it takes
 */
public record Placement(int start, int size) {
    /**
     * The first slice behind it.
     *
     * @return start and size together
     */
    public int end() {
        return start + size;
    }
}
