// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

import java.util.List;

/**
 * A GPU instance; nvmlGpuInstanceGetInfo and its profile.
 *
 * @param id NVML's id, used again by the next instance at the same place
 * @param profile such as {@code 3g.71gb}
 * @param profileId NVML's id of the profile on this card
 * @param place in memory slices; never computed from the id, boards number their places in two ways
 * @param slices compute slices
 * @param multiprocessors SMs
 * @param memoryBytes its memory, as its profile says; differs between drivers
 * @param computes its compute instances, by id
 */
public record MigInstanceView(
        int id,
        String profile,
        int profileId,
        MigPlace place,
        int slices,
        int multiprocessors,
        long memoryBytes,
        List<MigComputeView> computes) {
    /** Takes a copy of the list. */
    public MigInstanceView {
        computes = List.copyOf(computes);
    }

    /**
     * Whether it has no compute instance, so that nothing can run on it and CUDA does not see it.
     *
     * @return whether it is half made
     */
    public boolean isIncomplete() {
        return computes.isEmpty();
    }
}
