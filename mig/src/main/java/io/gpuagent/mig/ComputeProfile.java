// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.List;

/**
 * A kind of compute instance that a kind of GPU instance offers (nvml.h, nvmlComputeInstanceProfileInfo_v3_t).
 *
 * @param id by which NVML creates it
 * @param name such as {@code 1c.3g.71gb}; that of the GPU instance where it takes all of it
 * @param slices compute slices, 1 or more
 * @param multiprocessors SMs
 * @param placements where it may lie, in compute slices of the GPU instance; empty where that was not asked yet
 */
public record ComputeProfile(int id, String name, int slices, int multiprocessors, List<Placement> placements) {
    /** Takes a copy of the list, and the name without NVML's {@code MIG}. */
    public ComputeProfile {
        name = GpuProfile.bare(name);
        placements = List.copyOf(placements);
    }
}
