// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.Optional;

/**
 * A compute instance that exists; to CUDA it is a device.
 *
 * @param id its id within its GPU instance, 0..7
 * @param profileId the id of its profile
 * @param name the name of its profile, such as {@code 1c.3g.71gb}; that of the GPU instance where it takes all of it
 * @param slices compute slices
 * @param placement where it lies, in compute slices; empty where the driver does not tell
 */
public record ComputeInstance(int id, int profileId, String name, int slices, Optional<Placement> placement) {
    /** Takes the name without NVML's {@code MIG}. */
    public ComputeInstance {
        name = GpuProfile.bare(name);
    }
}
