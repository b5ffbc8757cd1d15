// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import java.util.List;

/**
 * Why the wanted layout cannot be reached.
 *
 * @param before the GPU as it is
 * @param wanted what is wanted
 * @param pins what must stay, and why; by place
 * @param evict the fewest instances without which it could be reached, by place; none where it fits not even on an empty
 *     card. Of several such sets: the one whose pins are most easily removed, then the one with the cheapest plan
 * @param reason one sentence
 */
public record Impossible(MigGpu before, Wanted wanted, List<Pin> pins, List<GpuInstance> evict, String reason)
        implements PlanOutcome {
    /** Takes copies of the lists. */
    public Impossible {
        pins = List.copyOf(pins);
        evict = List.copyOf(evict);
    }

    /**
     * Whether it would not fit on an empty card either.
     *
     * @return whether nothing helps
     */
    public boolean neverFits() {
        return evict.isEmpty();
    }
}
