// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Placement;
import java.util.List;
import java.util.OptionalInt;

/**
 * What lies on a stretch of a GPU's memory slices.
 *
 * @param placement which slices
 * @param profile the profile's name; empty text where the slice is free
 * @param gpuInstance the GPU instance's id; empty where the slice is free or the instance is to be made
 * @param computes the profiles of its compute instances
 * @param signs one character for each thing to say of it, the most important first; see {@link SliceMap#meaning(char)}
 */
public record SliceCell(
        Placement placement, String profile, OptionalInt gpuInstance, List<String> computes, String signs) {
    /** Takes a copy of the list. */
    public SliceCell {
        computes = List.copyOf(computes);
    }

    /**
     * Whether there is no instance.
     *
     * @return whether it is free
     */
    public boolean isFree() {
        return profile.isEmpty();
    }
}
