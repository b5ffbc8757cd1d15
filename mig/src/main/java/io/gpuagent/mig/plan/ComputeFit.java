// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which compute instances of a GPU instance stay, go and come. Tries all ways; there are at most eight compute
 * instances.
 */
record ComputeFit(GpuProfile of) {
    /** Places for new compute instances beside others; empty where there are none. Without known places, slices decide. */
    Optional<List<WantedCompute>> place(List<WantedCompute> wanted, List<ComputeInstance> beside) {
        int slices = beside.stream().mapToInt(ComputeInstance::slices).sum()
                + wanted.stream().mapToInt(WantedCompute::slices).sum();
        if (slices > of.slices()) {
            return Optional.empty();
        }
        long taken = 0;
        for (ComputeInstance compute : beside) {
            taken |= compute.placement().map(Placement::mask).orElse(0L);
        }
        boolean isKnown =
                beside.stream().allMatch(compute -> compute.placement().isPresent());
        List<WantedCompute> placed = new ArrayList<>();
        return place(wanted, 0, taken, isKnown, placed) ? Optional.of(List.copyOf(placed)) : Optional.empty();
    }

    private boolean place(
            List<WantedCompute> wanted, int next, long taken, boolean isKnown, List<WantedCompute> placed) {
        if (next == wanted.size()) {
            return true;
        }
        WantedCompute compute = wanted.get(next);
        for (int start : starts(compute, isKnown)) {
            long mask = start < 0 ? 0 : new Placement(start, compute.slices()).mask();
            if ((taken & mask) == 0) {
                placed.add(start < 0 ? compute : compute.at(start));
                if (place(wanted, next + 1, taken | mask, isKnown, placed)) {
                    return true;
                }
                placed.removeLast();
            }
        }
        return false;
    }

    /** Highest first, which leaves room for larger ones: two slices of three can only start at 0. */
    private List<Integer> starts(WantedCompute compute, boolean isKnown) {
        if (compute.start().isPresent()) {
            return List.of(compute.start().getAsInt());
        }
        List<Placement> places =
                compute.known(of).map(ComputeProfile::placements).orElse(List.of());
        return isKnown && !places.isEmpty()
                ? places.stream().map(Placement::start).sorted((a, b) -> b - a).toList()
                : List.of(-1);
    }

    /**
     * The change of the fewest destroyed compute instances.
     *
     * @param live the GPU instance
     * @param wanted what is wanted of it; empty: what is there, or a full one where nothing is
     * @param isPinned which compute instances must not be destroyed
     * @return empty where pinned ones stand in the way
     */
    Optional<ComputeChange> change(
            GpuInstance live, Optional<List<WantedCompute>> wanted, Predicate<ComputeInstance> isPinned) {
        if (wanted.isEmpty() && !live.computes().isEmpty()) {
            return Optional.of(new ComputeChange(live.computes(), List.of(), List.of()));
        }
        Matching matching = new Matching(live.computes(), wanted.orElse(List.of(WantedCompute.full(of))), isPinned);
        matching.next(0, -1, List.of(), List.of());
        return Optional.ofNullable(matching.best);
    }

    /** Each wanted one is either met by one that exists or made anew. */
    private final class Matching {
        private final List<ComputeInstance> live;
        private final List<WantedCompute> wanted;
        private final Predicate<ComputeInstance> isPinned;
        private @Nullable ComputeChange best;

        Matching(List<ComputeInstance> live, List<WantedCompute> wanted, Predicate<ComputeInstance> isPinned) {
            this.live = live;
            this.wanted = wanted;
            this.isPinned = isPinned;
        }

        void next(int index, int lastMet, List<ComputeInstance> kept, List<WantedCompute> created) {
            if (best != null && best.destroyed().isEmpty()) {
                return;
            }
            if (index == wanted.size()) {
                finish(kept, created);
                return;
            }
            WantedCompute compute = wanted.get(index);
            // Equal ones are met in the order of those that exist: exchanging them makes no other result.
            boolean isLikeLast = index > 0 && compute.equals(wanted.get(index - 1));
            boolean isLastMade = isLikeLast && lastMet < 0;
            for (int i = isLikeLast ? lastMet + 1 : 0; !isLastMade && i < live.size(); i++) {
                if (compute.isMetBy(live.get(i)) && !kept.contains(live.get(i))) {
                    next(index + 1, i, with(kept, live.get(i)), created);
                }
            }
            next(index + 1, -1, kept, with(created, compute));
        }

        private void finish(List<ComputeInstance> kept, List<WantedCompute> created) {
            List<ComputeInstance> destroyed =
                    live.stream().filter(compute -> !kept.contains(compute)).toList();
            if (destroyed.stream().anyMatch(isPinned)
                    || (best != null && best.destroyed().size() <= destroyed.size())) {
                return;
            }
            place(created, kept).ifPresent(placed -> best = new ComputeChange(kept, destroyed, placed));
        }

        private static <T> List<T> with(List<T> list, T item) {
            List<T> longer = new ArrayList<>(list);
            longer.add(item);
            return longer;
        }
    }
}
