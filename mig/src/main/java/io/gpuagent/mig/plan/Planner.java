// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Plans one GPU: a pure function that tries every layout and takes the cheapest. In this order: nothing that is pinned
 * is destroyed; the fewest GPU instances are; the fewest compute instances are; what is free afterwards takes the most of
 * the largest profiles. Where layouts are equal in all that, the highest slice in which they differ decides: an
 * instance that starts there wins against none, a larger one against a smaller. So the result depends neither on the
 * order of the request nor on that of the instances.
 *
 * @param rules what must stay
 */
public record Planner(PinRules rules) {
    private static final Comparator<PlannedInstance> BY_PLACE =
            Comparator.comparingInt(instance -> instance.placement().start());

    /**
     * Makes a plan.
     *
     * @param gpu the GPU as it is, in MIG mode
     * @param wanted the whole set of its instances; foreign instances and such as are to be kept may stay beside it. Its
     *     profiles are those of the GPU's card
     * @return the plan, or the reason why there is none
     */
    public PlanOutcome plan(MigGpu gpu, Wanted wanted) {
        Pins pins = new Pins(gpu, rules);
        LayoutSearch search = new LayoutSearch(gpu, wanted, pins);
        FoundLayout found = search.search(pins.pinned());
        return found == null
                ? new Obstacle(gpu, wanted, pins, search).outcome()
                : assemble(gpu, wanted, pins, search, found);
    }

    private Plan assemble(MigGpu gpu, Wanted wanted, Pins pins, LayoutSearch search, FoundLayout found) {
        List<PlannedInstance> after = new ArrayList<>();
        List<Step> destructions = new ArrayList<>();
        List<Step> creations = new ArrayList<>();
        List<Affected> affected = new ArrayList<>();
        List<GpuInstance> staying = new ArrayList<>();
        int next = 0;
        for (Demand demand : search.demands()) {
            for (int i = 0; i < demand.count(); i++) {
                Demand.Candidate place = found.chosen(next++);
                if (place.live() < 0) {
                    after.add(made(demand.wanted(), place));
                } else {
                    GpuInstance live = gpu.instances().get(place.live());
                    staying.add(live);
                    after.add(stays(live, pins.change(live, demand.wanted()).orElseThrow()));
                }
            }
        }
        for (GpuInstance live : gpu.instances()) {
            boolean isExtra = !staying.contains(live) && !rules.pins(live).isEmpty();
            if (isExtra) {
                List<PlannedCompute> computes =
                        live.computes().stream().map(PlannedCompute::kept).toList();
                after.add(new PlannedInstance(live.profile(), live.placement(), Optional.of(live), computes, false));
            }
        }
        after.sort(BY_PLACE);
        for (GpuInstance live : gpu.instances()) {
            destroy(live, after, destructions, affected);
        }
        after.forEach(instance -> create(instance, creations));
        destructions.addAll(creations);
        return new Plan(gpu, wanted, pins.all(), after, destructions, found.cost(), affected);
    }

    private static PlannedInstance made(WantedInstance wanted, Demand.Candidate place) {
        ComputeFit fit = new ComputeFit(wanted.profile());
        List<WantedCompute> computes = wanted.computes().orElse(List.of(WantedCompute.full(wanted.profile())));
        return new PlannedInstance(
                wanted.profile(),
                new Placement(place.start(), Long.bitCount(place.mask())),
                Optional.empty(),
                fit.place(computes, List.of()).orElseThrow().stream()
                        .map(PlannedCompute::made)
                        .toList(),
                true);
    }

    private static PlannedInstance stays(GpuInstance live, ComputeChange change) {
        List<PlannedCompute> computes = new ArrayList<>();
        change.kept().forEach(compute -> computes.add(PlannedCompute.kept(compute)));
        change.created().forEach(compute -> computes.add(PlannedCompute.made(compute)));
        return new PlannedInstance(live.profile(), live.placement(), Optional.of(live), computes, true);
    }

    private void destroy(GpuInstance live, List<PlannedInstance> after, List<Step> steps, List<Affected> affected) {
        List<ComputeInstance> staying = after.stream()
                .filter(instance -> instance.existing().filter(live::equals).isPresent())
                .flatMap(instance -> instance.computes().stream())
                .flatMap(compute -> compute.existing().stream())
                .toList();
        boolean goes = after.stream()
                .noneMatch(instance -> instance.existing().filter(live::equals).isPresent());
        for (ComputeInstance compute : live.computes()) {
            if (!staying.contains(compute)) {
                steps.add(new Step.DestroyCompute(live, compute));
            }
        }
        if (goes) {
            steps.add(new Step.DestroyGpuInstance(live));
        }
        for (Claim claim : live.claims()) {
            OptionalInt id = claim.computeInstance();
            boolean isLost = goes
                    || live.computes().stream()
                            .anyMatch(compute ->
                                    !staying.contains(compute) && (id.isEmpty() || id.getAsInt() == compute.id()));
            if (isLost && !rules.isOver(claim)) {
                affected.add(new Affected(live, claim));
            }
        }
    }

    private static void create(PlannedInstance instance, List<Step> steps) {
        OptionalInt id =
                instance.existing().map(live -> OptionalInt.of(live.id())).orElse(OptionalInt.empty());
        if (id.isEmpty()) {
            steps.add(new Step.CreateGpuInstance(instance.profile(), instance.placement()));
        }
        for (PlannedCompute compute : instance.computes()) {
            compute.wanted()
                    .ifPresent(made ->
                            steps.add(new Step.CreateCompute(id, instance.profile(), instance.placement(), made)));
        }
    }
}
