// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;

/** Tells whose GPU instances are. */
@FunctionalInterface
public interface OwnedInstances {
    /**
     * Whose an instance is.
     *
     * @param gpuUuid the GPU's UUID
     * @param profileId NVML's id of its profile
     * @param placement where it lies
     * @return whose it is
     */
    Ownership of(String gpuUuid, int profileId, Placement placement);
}
