// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.List;
import java.util.Optional;

/**
 * How a GPU is, why, and what helps.
 *
 * @param gpu its UUID, or its bus id where the UUID is not known
 * @param busId its PCI bus id, where it is known
 * @param state the worst of the reasons that count
 * @param action the strongest of the actions that they ask for
 * @param reasons all reasons, the worst first; those that somebody acknowledged come last
 * @param xids counts of Xids by code
 */
public record Verdict(
        String gpu,
        Optional<String> busId,
        HealthState state,
        HealthAction action,
        List<HealthReason> reasons,
        List<XidCount> xids) {
    /** Takes copies of the lists. */
    public Verdict {
        reasons = List.copyOf(reasons);
        xids = List.copyOf(xids);
    }

    /**
     * Whether new work may be placed on the GPU.
     *
     * @return what {@link HealthState#schedulable()} says of the state
     */
    public boolean isSchedulable() {
        return state.schedulable();
    }

    /**
     * How one MIG instance is. A reason about another instance reaches it only where its action does, as a reset ends
     * all instances of a GPU.
     *
     * @param gi id of the GPU instance
     * @param ci id of the compute instance
     * @return the worst of the reasons that reach it
     */
    public HealthState stateOf(int gi, int ci) {
        HealthState worst = HealthState.OK;
        for (HealthReason reason : reasons) {
            boolean isCounted = reason.acknowledged().isEmpty();
            if (isCounted && (reason.scope().covers(gi, ci) || reason.action().reachesWholeGpu())) {
                worst = worst.worse(reason.state());
            }
        }
        return worst;
    }
}
