// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.apply.SavedLayout.SavedInstance;
import io.gpuagent.mig.plan.Step;
import io.gpuagent.mig.plan.WantedCompute;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The steps from wherever a GPU is to one of the two layouts of a change. Nothing is destroyed but what the change itself
 * has made, and nothing made but what it has destroyed, or on the way forward what is new: all else that has come or gone
 * is somebody else's doing.
 *
 * @param live what there is
 * @param change the change
 * @param back whether to the layout before
 */
record Route(MigGpu live, ChangeRecord change, boolean back) {
    private SavedLayout target() {
        return back ? change.before() : change.after();
    }

    /** What is to be done, in order; none where the layout is reached. */
    List<Step> steps() throws MigException {
        List<Step> steps = new ArrayList<>();
        for (GpuInstance instance : live.instances()) {
            Optional<SavedInstance> kept = target().at(Piece.of(instance));
            List<ComputeInstance> staying = new ArrayList<>();
            kept.ifPresent(to -> missing(instance, to, staying));
            for (ComputeInstance compute : instance.computes()) {
                if (!staying.contains(compute) && isMade(instance, compute)) {
                    steps.add(new Step.DestroyCompute(instance, compute));
                }
            }
            if (kept.isEmpty() && change.made().contains(Piece.of(instance))) {
                steps.add(new Step.DestroyGpuInstance(instance));
            }
        }
        for (SavedInstance instance : target().instances()) {
            create(instance, steps);
        }
        return steps;
    }

    private boolean isMade(GpuInstance of, ComputeInstance compute) {
        Piece piece = Piece.of(of, compute);
        return change.made().stream().anyMatch(each -> each.isMetBy(piece));
    }

    /** The compute instances that are still to be made; gathers those that meet the others. */
    private static List<WantedCompute> missing(GpuInstance live, SavedInstance wanted, List<ComputeInstance> staying) {
        List<WantedCompute> missing = new ArrayList<>();
        for (WantedCompute compute : wanted.computes()) {
            live.computes().stream()
                    .filter(each -> !staying.contains(each) && compute.isMetBy(each))
                    .findFirst()
                    .ifPresentOrElse(staying::add, () -> missing.add(compute));
        }
        return missing;
    }

    private void create(SavedInstance wanted, List<Step> steps) throws MigException {
        GpuProfile profile = live.card()
                .byId(wanted.profile())
                .orElseThrow(() -> new MigException(
                        MigException.Cause.CHANGED, "this card has no MIG profile " + wanted.profile() + " any more"));
        Optional<GpuInstance> there = live.instances().stream()
                .filter(instance -> Piece.of(instance).equals(wanted.piece()))
                .findFirst();
        List<WantedCompute> computes = there.map(instance -> missing(instance, wanted, new ArrayList<>()))
                .orElse(wanted.computes());
        if (there.isEmpty() && !isToBeMade(wanted.piece())) {
            return;
        }
        if (there.isEmpty()) {
            steps.add(new Step.CreateGpuInstance(profile, wanted.placement()));
        }
        OptionalInt id = there.map(instance -> OptionalInt.of(instance.id())).orElse(OptionalInt.empty());
        for (WantedCompute compute : computes) {
            if (isToBeMade(wanted, compute)) {
                steps.add(new Step.CreateCompute(id, profile, wanted.placement(), compute));
            }
        }
    }

    private boolean isToBeMade(Piece piece) {
        return back ? change.destroyed().contains(piece) : !change.before().has(piece);
    }

    private boolean isToBeMade(SavedInstance of, WantedCompute compute) {
        if (back) {
            return change.destroyed()
                    .contains(new Piece(
                            of.profile(),
                            of.placement(),
                            compute.profileId().orElse(-1),
                            compute.start().orElse(-1)));
        }
        return change.before()
                .at(of.piece())
                .filter(before -> before.computes().contains(compute))
                .isEmpty();
    }

    /**
     * Fills in what a step to create a compute instance could not know before its GPU instance was there: the GPU
     * instance's id, the profile, the place.
     */
    static Step.CreateCompute resolved(Step.CreateCompute step, MigGpu live) throws MigException {
        GpuInstance of = live.instances().stream()
                .filter(instance -> instance.profile().id() == step.profile().id()
                        && instance.placement().equals(step.placement()))
                .findFirst()
                .orElseThrow(() -> new MigException(
                        MigException.Cause.CHANGED,
                        "there is no GPU instance " + step.profile().name() + " at "
                                + step.placement().start() + " any more"));
        WantedCompute wanted = step.compute();
        ComputeProfile profile = profile(of.profile(), wanted)
                .orElseThrow(() -> new MigException(
                        MigException.Cause.REFUSED, of.label() + " offers no compute instance " + wanted.name()));
        OptionalInt start = wanted.start().isPresent() ? wanted.start() : freeStart(of, profile);
        return new Step.CreateCompute(
                OptionalInt.of(of.id()),
                of.profile(),
                of.placement(),
                new WantedCompute(wanted.name(), wanted.slices(), wanted.full(), OptionalInt.of(profile.id()), start));
    }

    private static Optional<ComputeProfile> profile(GpuProfile of, WantedCompute wanted) {
        if (wanted.profileId().isEmpty() && wanted.full()) {
            return of.fullCompute();
        }
        return of.computes().stream()
                .filter(known -> wanted.profileId().isPresent()
                        ? known.id() == wanted.profileId().getAsInt()
                        : known.name().equals(wanted.name()))
                .findFirst();
    }

    /** The highest, as the planner takes them: it leaves room for larger ones. */
    private static OptionalInt freeStart(GpuInstance of, ComputeProfile profile) {
        return profile.placements().stream()
                .filter(at -> of.computes().stream()
                        .noneMatch(compute ->
                                compute.placement().filter(at::overlaps).isPresent()))
                .max(Comparator.comparingInt(Placement::start))
                .map(at -> OptionalInt.of(at.start()))
                .orElse(OptionalInt.empty());
    }
}
