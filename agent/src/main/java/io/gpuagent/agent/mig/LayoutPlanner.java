// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.config.Problems;
import io.gpuagent.agent.layout.LayoutTargets.Target;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.ComputeRequest;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.layout.GpuInstanceEntry;
import io.gpuagent.model.layout.LayoutForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans what a layout wants of one GPU.
 *
 * @param rules what must stay
 * @param form whose form the layout has
 * @param maySwitch whether the user said that modes may be switched where a file of mig-parted differs
 */
record LayoutPlanner(PinRules rules, LayoutForm form, boolean maySwitch) {
    static final String MPS =
            "the layout's MPS settings are not applied yet: start the daemon with gpu-agent mps start when the layout is there";

    /** What becomes of a GPU; what cannot be meant on its card is told to the problems. */
    GpuPlan plan(Target target, MigState state, Problems problems) {
        MigFacts facts = state.facts();
        Optional<List<InstanceRequest>> wanted = target.entry()
                .mig()
                .map(entries -> requests(entries, facts.gpu().card(), problems));
        Draft draft = new Draft(facts, target.entry().migMode().filter(on -> on != facts.enabled()), wanted);
        List<String> notes = new ArrayList<>();
        if (saysMps(target)) {
            notes.add(MPS);
        }
        state.ownership().ifPresent(notes::add);
        return draft.plan(notes, obstacle(draft, state));
    }

    /** The whole wanted set of one GPU, of which no file says anything. */
    GpuPlan repartition(MigState state, List<InstanceRequest> wanted) throws MigRequestException {
        Wanted.resolve(state.facts().gpu().card(), wanted);
        Draft draft = new Draft(state.facts(), Optional.empty(), Optional.of(wanted));
        return draft.plan(state.ownership().stream().toList(), obstacle(draft, state));
    }

    private final class Draft {
        private final MigFacts facts;
        private final Optional<Boolean> mode;
        private final Optional<List<InstanceRequest>> wanted;

        Draft(MigFacts facts, Optional<Boolean> mode, Optional<List<InstanceRequest>> wanted) {
            this.facts = facts;
            this.mode = mode;
            // To be turned off it has to be empty first.
            this.wanted = mode.filter(on -> !on).isPresent() ? Optional.of(List.of()) : wanted;
        }

        GpuPlan plan(List<String> notes, Optional<String> obstacle) {
            MigGpu gpu = facts.gpu();
            boolean isPlanned = obstacle.isEmpty();
            Optional<PlanOutcome> layout = wanted.filter(_ -> isPlanned).flatMap(this::outcome);
            return new GpuPlan(gpu.identity(), gpu.model(), false, mode, wanted, layout, obstacle, notes);
        }

        private Optional<PlanOutcome> outcome(List<InstanceRequest> requests) {
            try {
                return Optional.of(new Planner(rules)
                        .plan(facts.gpu(), Wanted.resolve(facts.gpu().card(), requests)));
            } catch (MigRequestException told) {
                // Resolved before; what cannot be meant has been told as a problem of the file.
                return Optional.empty();
            }
        }
    }

    private Optional<String> obstacle(Draft draft, MigState state) {
        MigFacts facts = state.facts();
        int gpu = facts.gpu().identity().index();
        if (state.unfinished().isPresent()) {
            return state.unfinished().map(why -> why + ": gpu-agent mig repair " + gpu);
        }
        if (facts.pending() != facts.enabled()) {
            return Optional.of("MIG mode of GPU " + gpu + " is " + word(facts.enabled()) + " and will be "
                    + word(facts.pending()) + " after a reset of the GPU or a reboot; do that first");
        }
        if (draft.mode.isPresent() && form == LayoutForm.MIG_PARTED && !maySwitch) {
            return Optional.of("the file wants MIG mode of GPU " + gpu + " " + word(draft.mode.get()) + ", and it is "
                    + word(facts.enabled()) + "; add --mode to have it switched");
        }
        boolean isOff = !facts.enabled() && draft.mode.isEmpty();
        if (isOff && draft.wanted.filter(list -> !list.isEmpty()).isPresent()) {
            return Optional.of("MIG mode is off on GPU " + gpu + "; turn it on with gpu-agent mig enable " + gpu);
        }
        return Optional.empty();
    }

    private static String word(boolean on) {
        return on ? "on" : "off";
    }

    private static boolean saysMps(Target target) {
        return target.entry().mps().isPresent()
                || target.entry().mig().orElse(List.of()).stream()
                        .anyMatch(instance -> instance.mps().isPresent()
                                || instance.compute().orElse(List.of()).stream()
                                        .anyMatch(compute -> compute.mps().isPresent()));
    }

    private static List<InstanceRequest> requests(List<GpuInstanceEntry> entries, MigCard card, Problems problems) {
        List<InstanceRequest> requests = new ArrayList<>();
        for (GpuInstanceEntry entry : entries) {
            InstanceRequest request = new InstanceRequest(
                    entry.profile(),
                    entry.count(),
                    entry.start(),
                    entry.compute()
                            .map(list -> list.stream()
                                    .map(compute -> new ComputeRequest(compute.profile(), compute.start()))
                                    .toList()));
            try {
                Wanted.resolve(card, List.of(request));
                requests.add(request);
            } catch (MigRequestException e) {
                String[] parts = String.valueOf(e.getMessage()).split("; ", 2);
                problems.add(
                        entry.at().line(),
                        entry.at().column(),
                        parts[0],
                        parts.length == 2 ? parts[1] : "write what fits");
            }
        }
        return requests;
    }
}
