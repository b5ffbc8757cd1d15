// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.plan.Pin;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What has changed on a GPU since a plan was made, in words.
 *
 * @param plan the plan
 * @param now the GPU as it is now
 * @param rules what must stay
 */
record StateChange(Plan plan, MigGpu now, PinRules rules) {
    private static final int MOST = 4;

    /** Such as {@code GPU 0 has changed since the plan was made: GPU instance 9 (1g.18gb at 6) is gone}. */
    String words() {
        List<String> changes = new ArrayList<>();
        for (GpuInstance before : plan.before().instances()) {
            Optional<GpuInstance> same = same(before, now);
            if (same.isEmpty()) {
                changes.add(before.label() + " is gone");
            } else if (!computes(before).equals(computes(same.get()))) {
                changes.add("the compute instances of " + before.label() + " are others");
            }
        }
        for (GpuInstance live : now.instances()) {
            if (same(live, plan.before()).isEmpty()) {
                changes.add(live.label() + " is new");
            }
        }
        if (changes.isEmpty()) {
            changes.addAll(pinned());
        }
        if (changes.isEmpty()) {
            changes.add("who uses it is not the same, so that another plan is better");
        }
        String more = changes.size() > MOST ? " and " + (changes.size() - MOST) + " more" : "";
        return "GPU " + now.identity().index() + " has changed since the plan was made: "
                + String.join(", ", changes.subList(0, Math.min(MOST, changes.size()))) + more;
    }

    private static Optional<GpuInstance> same(GpuInstance instance, MigGpu gpu) {
        return gpu.instances().stream()
                .filter(other -> other.id() == instance.id()
                        && other.profile().id() == instance.profile().id()
                        && other.placement().equals(instance.placement()))
                .findFirst();
    }

    private static List<String> computes(GpuInstance instance) {
        return instance.computes().stream()
                .map(compute -> compute.id()
                        + compute.name()
                        + compute.placement().map(Object::toString).orElse(""))
                .toList();
    }

    /** Instances that the plan would destroy and that must stay by now. */
    private List<String> pinned() {
        List<String> pinned = new ArrayList<>();
        for (GpuInstance live : now.instances()) {
            for (Pin pin : rules.pins(live)) {
                if (isHit(pin)) {
                    pinned.add(pin.sentence());
                }
            }
        }
        return pinned;
    }

    private boolean isHit(Pin pin) {
        int id = pin.instance().id();
        for (Step step : plan.steps()) {
            boolean isWhole = step instanceof Step.DestroyGpuInstance whole
                    && whole.instance().id() == id;
            boolean isPart = step instanceof Step.DestroyCompute part
                    && part.of().id() == id
                    && (pin.computeInstance().isEmpty()
                            || pin.computeInstance().getAsInt()
                                    == part.compute().id());
            if (isWhole || isPart) {
                return true;
            }
        }
        return false;
    }
}
