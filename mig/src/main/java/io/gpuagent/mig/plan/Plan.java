// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import java.util.List;

/**
 * How to get to the wanted layout.
 *
 * @param before the GPU as it is; the steps hold for {@link MigGpu#layout()} alone
 * @param wanted what is wanted
 * @param pins what must stay, and why; by place
 * @param after what there will be, by place
 * @param steps what to do, in this order: all that is destroyed first, then all that is made, each by place
 * @param cost what it costs
 * @param affected to whom it does something
 */
public record Plan(
        MigGpu before,
        Wanted wanted,
        List<Pin> pins,
        List<PlannedInstance> after,
        List<Step> steps,
        Cost cost,
        List<Affected> affected)
        implements PlanOutcome {
    /** Takes copies of the lists. */
    public Plan {
        pins = List.copyOf(pins);
        after = List.copyOf(after);
        steps = List.copyOf(steps);
        affected = List.copyOf(affected);
    }

    /**
     * Whether everything is as wanted already.
     *
     * @return true where there is no step
     */
    public boolean isNoChange() {
        return steps.isEmpty();
    }

    /**
     * Whether it makes the first GPU instance of a GPU, for which the driver wants nobody to have that GPU open.
     *
     * @return whether it does
     */
    public boolean needsIdleGpu() {
        boolean isEmptied =
                after.stream().allMatch(instance -> instance.existing().isEmpty());
        return isEmptied && !after.isEmpty();
    }

    /**
     * The instances that stay.
     *
     * @return by place
     */
    public List<GpuInstance> kept() {
        return after.stream().flatMap(instance -> instance.existing().stream()).toList();
    }

    /**
     * The instances that go.
     *
     * @return by place
     */
    public List<GpuInstance> destroyed() {
        List<GpuInstance> kept = kept();
        return before.instances().stream()
                .filter(instance -> !kept.contains(instance))
                .toList();
    }

    /**
     * The instances that come.
     *
     * @return by place
     */
    public List<PlannedInstance> created() {
        return after.stream().filter(instance -> instance.existing().isEmpty()).toList();
    }
}
