// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import java.util.Optional;

/**
 * A compute instance as it will be.
 *
 * @param name the name of its profile
 * @param existing the one that stays; empty where it is made
 * @param wanted what is made; empty where it stays
 */
public record PlannedCompute(String name, Optional<ComputeInstance> existing, Optional<WantedCompute> wanted) {
    static PlannedCompute kept(ComputeInstance compute) {
        return new PlannedCompute(compute.name(), Optional.of(compute), Optional.empty());
    }

    static PlannedCompute made(WantedCompute compute) {
        return new PlannedCompute(compute.name(), Optional.empty(), Optional.of(compute));
    }
}
