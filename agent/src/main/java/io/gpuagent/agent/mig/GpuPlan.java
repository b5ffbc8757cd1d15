// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.Optional;

/**
 * What is to become of one GPU.
 *
 * @param gpu the GPU
 * @param model its name
 * @param kept whether it was named only to be left as it is
 * @param mode the MIG mode that it is switched to; empty where it is not
 * @param wanted the instances that were asked for; empty where nothing was said of them
 * @param layout how to get there, or why there is no way; empty where nothing was said of instances, or an obstacle
 *     stands before any planning
 * @param obstacle why nothing can be done, in one sentence; empty where nothing stands against it
 * @param notes what should be known, a sentence each
 */
public record GpuPlan(
        GpuIdentity gpu,
        String model,
        boolean kept,
        Optional<Boolean> mode,
        Optional<List<InstanceRequest>> wanted,
        Optional<PlanOutcome> layout,
        Optional<String> obstacle,
        List<String> notes) {
    /** Takes copies of the lists. */
    public GpuPlan {
        wanted = wanted.map(List::copyOf);
        notes = List.copyOf(notes);
    }

    /** What a plan comes to. */
    public enum State {
        /** It is to be left as it is. */
        KEPT,
        /** It has what is wanted. */
        NO_CHANGE,
        /** There is something to do. */
        CHANGE,
        /** What is wanted cannot be reached. */
        IMPOSSIBLE
    }

    /**
     * What it comes to.
     *
     * @return the state
     */
    public State state() {
        if (obstacle.isPresent() || layout.filter(Impossible.class::isInstance).isPresent()) {
            return State.IMPOSSIBLE;
        }
        if (kept) {
            return State.KEPT;
        }
        boolean hasSteps = steps().filter(plan -> !plan.isNoChange()).isPresent();
        return mode.isPresent() || hasSteps ? State.CHANGE : State.NO_CHANGE;
    }

    /**
     * The plan of its instances.
     *
     * @return the plan; empty where there is none
     */
    public Optional<Plan> steps() {
        return layout.flatMap(outcome -> outcome instanceof Plan plan ? Optional.of(plan) : Optional.empty());
    }

    /**
     * Why it cannot be reached.
     *
     * @return one sentence; empty where it can
     */
    public Optional<String> reason() {
        return obstacle.or(() -> layout.flatMap(
                outcome -> outcome instanceof Impossible no ? Optional.of(no.reason()) : Optional.empty()));
    }
}
