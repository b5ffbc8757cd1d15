// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.layout;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * GPU instances that are to be.
 *
 * @param at where it stands in the file
 * @param profile as the user wrote it: {@code 3g.71gb}, {@code 3g}, {@code id:9}
 * @param count how many, 1 or more
 * @param start the first memory slice; empty where it does not matter
 * @param compute the compute instances of each; empty: those that are there, or one that takes all of it
 * @param mps the MPS daemon on its only compute instance
 */
public record GpuInstanceEntry(
        Position at,
        String profile,
        int count,
        OptionalInt start,
        Optional<List<ComputeInstanceEntry>> compute,
        Optional<MpsEntry> mps) {
    /** Takes a copy of the list. */
    public GpuInstanceEntry {
        compute = compute.map(List::copyOf);
    }
}
