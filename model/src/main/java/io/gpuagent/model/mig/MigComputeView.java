// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A compute instance; nvmlComputeInstanceGetInfo_v2.
 *
 * @param id its id within its GPU instance
 * @param profile such as {@code 1c.3g.71gb}; that of the GPU instance where it takes all of it
 * @param profileId NVML's id of the profile
 * @param slices compute slices
 * @param multiprocessors its SMs, empty where the driver does not list the profile
 * @param place in compute slices of the GPU instance, empty where the driver does not tell
 * @param device what CUDA sees of it, empty where the driver has not made it yet
 */
public record MigComputeView(
        int id,
        String profile,
        int profileId,
        int slices,
        OptionalInt multiprocessors,
        Optional<MigPlace> place,
        Optional<MigDeviceView> device) {}
