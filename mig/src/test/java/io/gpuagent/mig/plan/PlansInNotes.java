// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.GpuInNotes;
import java.util.ArrayList;
import java.util.List;

/** What is wanted and what is planned, in short. */
final class PlansInNotes {
    private PlansInNotes() {}

    static Wanted wanted(GpuInNotes notes, String... profiles) {
        List<WantedInstance> instances = new ArrayList<>();
        for (String profile : profiles) {
            instances.add(WantedInstance.of(notes.profile(profile)));
        }
        return new Wanted(instances);
    }

    static List<String> steps(PlanOutcome outcome) {
        return ((Plan) outcome).steps().stream().map(Step::words).toList();
    }

    static List<String> after(PlanOutcome outcome) {
        return ((Plan) outcome)
                .after().stream()
                        .map(instance -> instance.profile().name() + "@"
                                + instance.placement().start())
                        .toList();
    }
}
