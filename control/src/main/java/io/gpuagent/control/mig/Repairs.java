// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.apply.SavedLayout;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.plan.WantedCompute;
import io.gpuagent.mig.plan.WantedInstance;
import io.gpuagent.mig.read.MigFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plans for GPU instances without compute instances; everything else stays. */
final class Repairs {
    private Repairs() {}

    static Plan plan(MigFacts facts, MigRequest.Repair request) throws ControlException {
        int index = facts.gpu().identity().index();
        GpuInstance instance = facts.gpu().instances().stream()
                .filter(each -> each.id() == request.gpuInstance())
                .findFirst()
                .orElseThrow(() -> new ControlException(
                        RefusalCode.NOT_FOUND,
                        "there is no GPU instance " + request.gpuInstance() + " on GPU " + index + " to repair"));
        if (instance.ownership() == Ownership.FOREIGN) {
            throw new ControlException(
                    RefusalCode.NOT_ALLOWED,
                    instance.label() + " of GPU " + index + " is not gpu-agent's; adopt it to have it repaired");
        }
        if (!instance.computes().isEmpty()) {
            throw new ControlException(
                    RefusalCode.BAD_REQUEST,
                    instance.label() + " of GPU " + index + " has compute instances, so nothing is to be repaired");
        }
        return switch (new Planner(PinRules.STANDARD).plan(facts.gpu(), wanted(facts, instance, request.how()))) {
            case Plan plan -> plan;
            case Impossible impossible -> throw new ControlException(RefusalCode.IMPOSSIBLE, impossible.reason());
        };
    }

    private static Wanted wanted(MigFacts facts, GpuInstance repaired, MigRequest.Repair.How how) {
        List<WantedInstance> wanted = new ArrayList<>();
        for (WantedInstance each :
                SavedLayout.of(facts.gpu()).wanted(facts.gpu()).instances()) {
            if (each.start().orElseThrow() != repaired.placement().start()) {
                wanted.add(each);
            } else if (how == MigRequest.Repair.How.COMPLETE) {
                wanted.add(new WantedInstance(
                        each.profile(), each.start(), Optional.of(List.of(WantedCompute.full(each.profile())))));
            }
        }
        return new Wanted(wanted);
    }
}
