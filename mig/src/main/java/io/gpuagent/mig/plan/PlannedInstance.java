// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Placement;
import java.util.List;
import java.util.Optional;

/**
 * A GPU instance as it will be.
 *
 * @param profile its kind
 * @param placement where it lies
 * @param existing the one that stays; empty where it is made
 * @param computes its compute instances
 * @param isWanted false where it stays only because it must, and is in no layout
 */
public record PlannedInstance(
        GpuProfile profile,
        Placement placement,
        Optional<GpuInstance> existing,
        List<PlannedCompute> computes,
        boolean isWanted) {
    /** Takes a copy of the list. */
    public PlannedInstance {
        computes = List.copyOf(computes);
    }
}
