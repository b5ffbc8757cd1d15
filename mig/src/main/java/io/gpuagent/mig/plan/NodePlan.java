// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.MigGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The plans of all GPUs that a layout names. GPUs that it does not name have no plan and are left alone.
 *
 * @param outcomes one for each GPU named, by index
 */
public record NodePlan(List<PlanOutcome> outcomes) {
    /** Takes a copy of the list. */
    public NodePlan {
        outcomes = List.copyOf(outcomes);
    }

    /**
     * Plans each GPU that is named.
     *
     * @param planner by which rules
     * @param gpus the GPUs of the node that are in MIG mode
     * @param wanted what is wanted, by UUID
     * @return the plans
     * @throws IllegalArgumentException when a GPU is named that is not among them
     */
    public static NodePlan of(Planner planner, List<MigGpu> gpus, Map<String, Wanted> wanted) {
        List<PlanOutcome> outcomes = new ArrayList<>();
        gpus.stream()
                .sorted((a, b) ->
                        Integer.compare(a.identity().index(), b.identity().index()))
                .forEach(gpu -> {
                    Wanted layout = wanted.get(gpu.identity().uuid());
                    if (layout != null) {
                        outcomes.add(planner.plan(gpu, layout));
                    }
                });
        if (outcomes.size() != wanted.size()) {
            throw new IllegalArgumentException("a layout names a GPU that is not there or not in MIG mode");
        }
        return new NodePlan(outcomes);
    }

    /**
     * Whether each GPU can get what is wanted; where one cannot, none is touched.
     *
     * @return whether there is a plan for each
     */
    public boolean isPossible() {
        return outcomes.stream().allMatch(outcome -> outcome instanceof Plan);
    }

    /**
     * Whether each GPU has what is wanted already.
     *
     * @return true where no plan has a step
     */
    public boolean isNoChange() {
        return outcomes.stream().allMatch(outcome -> outcome instanceof Plan plan && plan.isNoChange());
    }
}
