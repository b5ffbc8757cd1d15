// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * GPU instances as a layout file or a command names them.
 *
 * @param profile such as {@code 3g.71gb}, {@code 3g} or {@code id:9}
 * @param count how many, 1 or more
 * @param start its first memory slice; empty where it does not matter
 * @param computes its compute instances; empty: those that are there, or one that takes all of it
 */
public record InstanceRequest(String profile, int count, OptionalInt start, Optional<List<ComputeRequest>> computes) {
    /** Takes a copy of the list. */
    public InstanceRequest {
        computes = computes.map(List::copyOf);
    }

    /**
     * One instance, wherever it fits.
     *
     * @param profile its profile
     * @return the request
     */
    public static InstanceRequest of(String profile) {
        return new InstanceRequest(profile, 1, OptionalInt.empty(), Optional.empty());
    }
}
