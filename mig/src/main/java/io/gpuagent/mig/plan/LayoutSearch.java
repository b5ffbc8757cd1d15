// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tries every placed layout that has the wanted instances and all pinned ones. An H200 has 2319 layouts in all, and at
 * most 150 with one set of profiles, so nothing is left to chance or to rules of thumb. Slices and instances are bits.
 */
final class LayoutSearch {
    private final GpuInstance[] live;
    private final Budget budget;
    private final int profiles;
    private final Demand[] demands;
    private final int[] wantedCounts;
    private final Engines wantedEngines;
    private final int[] wantedLeftOver;
    /** Live instances that may stay though nobody wants them, as bits. */
    private final long excused;

    // The state of one search.
    private long pinned;
    private long pinnedSlices;
    private final Demand.Candidate[] chosen;
    private final int[] profileAt;
    private final int[] fits;
    private @Nullable FoundLayout best;

    LayoutSearch(MigGpu gpu, Wanted wanted, Pins pins) {
        live = gpu.instances().toArray(GpuInstance[]::new);
        budget = new Budget(gpu.card(), gpu.instances());
        profiles = gpu.card().profiles().size();
        excused = pins.outsideOfLayout();
        demands = demands(gpu, wanted, pins);
        wantedCounts = new int[profiles];
        Engines engines = Engines.NONE;
        for (Demand demand : demands) {
            wantedCounts[demand.profile()] += demand.count();
            engines = engines.plus(demand.wanted().profile().engines().times(demand.count()));
        }
        wantedEngines = engines;
        wantedLeftOver = budget.leftOver(wantedCounts, wantedEngines);
        chosen = new Demand.Candidate[wanted.instances().size()];
        profileAt = new int[gpu.card().width()];
        fits = new int[profiles];
    }

    private Demand[] demands(MigGpu gpu, Wanted wanted, Pins pins) {
        List<Demand> found = new ArrayList<>();
        List<WantedInstance> all = wanted.instances();
        for (int i = 0; i < all.size(); ) {
            WantedInstance one = all.get(i);
            int count = 1;
            while (i + count < all.size() && all.get(i + count).equals(one)) {
                count++;
            }
            int profile = budget.indexOf(one.profile());
            if (profile < 0) {
                throw new IllegalArgumentException("GPU " + gpu.identity().index() + " has no profile "
                        + one.profile().name());
            }
            found.add(new Demand(one, count, profile, candidates(one, pins)));
            i += count;
        }
        return found.toArray(Demand[]::new);
    }

    private List<Demand.Candidate> candidates(WantedInstance wanted, Pins pins) {
        List<Demand.Candidate> candidates = new ArrayList<>();
        for (Placement place : wanted.profile().placements()) {
            if (wanted.start().isPresent() && wanted.start().getAsInt() != place.start()) {
                continue;
            }
            long overlapped = 0;
            int same = -1;
            for (int i = 0; i < live.length; i++) {
                overlapped |= live[i].placement().overlaps(place) ? 1L << i : 0;
                boolean isSame = live[i].placement().equals(place)
                        && live[i].profile().id() == wanted.profile().id();
                same = isSame ? i : same;
            }
            int unpinned = 0;
            int asPinned = 0;
            if (same >= 0) {
                unpinned = destroyedComputes(pins.freeChange(live[same], wanted));
                asPinned = destroyedComputes(pins.change(live[same], wanted));
            }
            candidates.add(new Demand.Candidate(place.start(), place.mask(), same, overlapped, unpinned, asPinned));
        }
        return List.copyOf(candidates);
    }

    private static int destroyedComputes(Optional<ComputeChange> change) {
        return change.map(found -> found.destroyed().size()).orElse(Demand.NO_WAY);
    }

    /**
     * Searches.
     *
     * @param pinnedInstances the live instances that must stay, as bits
     * @return the cheapest layout; null where there is none
     */
    @Nullable
    FoundLayout search(long pinnedInstances) {
        best = null;
        if (!budget.allows(wantedCounts, wantedEngines)) {
            return null;
        }
        pinned = pinnedInstances;
        pinnedSlices = 0;
        Arrays.fill(profileAt, Integer.MAX_VALUE);
        for (int i = 0; i < live.length; i++) {
            if ((pinned & 1L << i) != 0) {
                pinnedSlices |= live[i].placement().mask();
                int index = budget.indexOf(live[i].profile());
                if (live[i].placement().start() < profileAt.length) {
                    profileAt[live[i].placement().start()] = index < 0 ? profiles : index;
                }
            }
        }
        place(0, 0, 0, 0, new State(0, 0, 0, 0));
        return best;
    }

    /** Slices taken by wanted instances, live ones among these, live ones lost, compute instances lost. */
    private record State(long taken, long matched, long lost, int computes) {}

    /** Places the wanted instances from one on; equal ones only from the left, as exchanging them changes nothing. */
    private void place(int demand, int placed, int from, int index, State state) {
        if (demand == demands.length) {
            finish(state);
            return;
        }
        Demand wanted = demands[demand];
        List<Demand.Candidate> candidates = wanted.candidates();
        boolean isLast = placed + 1 == wanted.count();
        for (int i = from; i < candidates.size(); i++) {
            Demand.Candidate candidate = candidates.get(i);
            State next = (state.taken & candidate.mask()) == 0 ? take(candidate, state) : null;
            if (next == null || (best != null && Long.bitCount(next.lost) > best.gpuInstances())) {
                continue;
            }
            int before = profileAt[candidate.start()];
            profileAt[candidate.start()] = wanted.profile();
            chosen[index] = candidate;
            place(isLast ? demand + 1 : demand, isLast ? 0 : placed + 1, isLast ? 0 : i + 1, index + 1, next);
            profileAt[candidate.start()] = before;
        }
    }

    private @Nullable State take(Demand.Candidate candidate, State state) {
        long bit = candidate.live() < 0 ? 0 : 1L << candidate.live();
        boolean isPinned = (bit & pinned) != 0;
        if (!isPinned && (candidate.mask() & pinnedSlices) != 0) {
            return null;
        }
        int computes = bit == 0 ? 0 : isPinned ? candidate.computesPinned() : candidate.computesUnpinned();
        return computes == Demand.NO_WAY
                ? null
                : new State(
                        state.taken | candidate.mask(),
                        state.matched | bit,
                        state.lost | (candidate.overlapped() & ~bit),
                        state.computes + computes);
    }

    private void finish(State state) {
        long extra = pinned & ~state.matched;
        if ((extra & ~excused) != 0) {
            return;
        }
        int gpuInstances = 0;
        int computeInstances = state.computes;
        int[] leftOver = wantedLeftOver;
        if (extra != 0) {
            int[] counts = wantedCounts.clone();
            Engines engines = wantedEngines;
            for (int i = 0; i < live.length; i++) {
                if ((extra & 1L << i) != 0) {
                    engines = engines.plus(live[i].profile().engines());
                    int index = budget.indexOf(live[i].profile());
                    counts[index < 0 ? 0 : index] += index < 0 ? 0 : 1;
                }
            }
            if (!budget.allows(counts, engines)) {
                return;
            }
            leftOver = budget.leftOver(counts, engines);
        }
        for (int i = 0; i < live.length; i++) {
            if (((pinned | state.matched) & 1L << i) == 0) {
                gpuInstances++;
                computeInstances += live[i].computes().size();
            }
        }
        if (best != null
                && (gpuInstances > best.gpuInstances()
                        || (gpuInstances == best.gpuInstances() && computeInstances > best.computeInstances()))) {
            return;
        }
        long taken = state.taken | pinnedSlices;
        budget.stillFits(taken, leftOver, fits);
        FoundLayout found = new FoundLayout(gpuInstances, computeInstances, fits, profileAt, chosen);
        if (best == null || found.compareTo(best) < 0) {
            best = found.copy();
        }
    }

    /** The demands in the order in which {@link FoundLayout#chosen(int)} holds their places. */
    Demand[] demands() {
        return demands;
    }
}
