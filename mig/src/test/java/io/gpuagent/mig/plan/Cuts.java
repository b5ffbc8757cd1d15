// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All layouts of a card, found by adding one instance after the other, and what a planner ought to answer, found by
 * looking at each of them. Shares nothing with the planner but the profile table. A layout is a number, of which each
 * bit is a profile at a place.
 */
final class Cuts {
    /** A profile at a place. */
    record Cut(GpuProfile profile, Placement place) {}

    /** What is wanted: so many of each profile of the card, and cuts among them that must be there. */
    record Wish(List<Integer> counts, long exact) {
        Wish {
            counts = List.copyOf(counts);
        }
    }

    private final MigCard card;
    private final List<Cut> cuts = new ArrayList<>();
    private final long[] ofProfile;
    private final List<Long> layouts = new ArrayList<>();
    private final Map<Long, List<Integer>> fits = new HashMap<>();

    Cuts(MigCard card, boolean countEngines) {
        this.card = card;
        ofProfile = new long[card.profiles().size()];
        for (int p = 0; p < ofProfile.length; p++) {
            for (Placement place : card.profiles().get(p).placements()) {
                ofProfile[p] |= 1L << cuts.size();
                cuts.add(new Cut(card.profiles().get(p), place));
            }
        }
        add(0L, 0, countEngines);
    }

    private void add(long layout, int from, boolean countEngines) {
        layouts.add(layout);
        for (int i = from; i < cuts.size(); i++) {
            long more = layout | 1L << i;
            if (isPossible(more, i, countEngines)) {
                add(more, i + 1, countEngines);
            }
        }
    }

    private boolean isPossible(long layout, int added, boolean countEngines) {
        List<Cut> all = cuts(layout);
        Cut last = cuts.get(added);
        long overlaps =
                all.stream().filter(cut -> cut.place().overlaps(last.place())).count();
        long same =
                all.stream().filter(cut -> cut.profile().equals(last.profile())).count();
        return overlaps == 1 && same <= last.profile().most() && (!countEngines || hasEngines(all));
    }

    private boolean hasEngines(List<Cut> all) {
        int[] used = new int[5];
        int[] most = new int[5];
        for (Cut cut : all) {
            int[] engines = engines(cut.profile().engines());
            for (int i = 0; i < used.length; i++) {
                used[i] += engines[i];
            }
        }
        for (GpuProfile profile : card.profiles()) {
            int[] engines = engines(profile.engines());
            for (int i = 0; i < most.length; i++) {
                most[i] = Math.max(most[i], engines[i]);
            }
        }
        for (int i = 0; i < used.length; i++) {
            if (used[i] > most[i]) {
                return false;
            }
        }
        return true;
    }

    private static int[] engines(Engines e) {
        return new int[] {e.copy(), e.decoder(), e.encoder(), e.jpeg(), e.opticalFlow()};
    }

    List<Long> layouts() {
        return layouts;
    }

    /** Those to which nothing can be added. */
    List<Long> maximal() {
        return layouts.stream()
                .filter(one -> layouts.stream().noneMatch(other -> (other & one) == one && !other.equals(one)))
                .toList();
    }

    List<Cut> cuts(long layout) {
        List<Cut> found = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            if ((layout & 1L << i) != 0) {
                found.add(cuts.get(i));
            }
        }
        return found;
    }

    long bit(GpuProfile profile, Placement place) {
        for (int i = 0; i < cuts.size(); i++) {
            Cut cut = cuts.get(i);
            if (cut.profile().id() == profile.id() && cut.place().equals(place)) {
                return 1L << i;
            }
        }
        throw new IllegalArgumentException("no such cut");
    }

    /** How many of each profile. */
    List<Integer> counts(long layout) {
        return Arrays.stream(ofProfile)
                .mapToObj(bits -> Long.bitCount(layout & bits))
                .toList();
    }

    /** The sets of profiles, each by one of its layouts. */
    List<Long> multisets() {
        Map<List<Integer>, Long> sets = new HashMap<>();
        for (long layout : layouts) {
            sets.putIfAbsent(counts(layout), layout);
        }
        return sets.values().stream().sorted().toList();
    }

    /** How many of each profile can be added to a layout, each by itself. */
    private List<Integer> stillFits(long layout) {
        return fits.computeIfAbsent(layout, key -> {
            int[] most = new int[ofProfile.length];
            for (long other : layouts) {
                long added = other & ~key;
                for (int p = 0; p < most.length; p++) {
                    if ((other & key) == key && (added & ~ofProfile[p]) == 0) {
                        most[p] = Math.max(most[p], Long.bitCount(added));
                    }
                }
            }
            List<Integer> list = new ArrayList<>();
            for (int count : most) {
                list.add(count);
            }
            return list;
        });
    }

    /** Whether a layout is what is wished, foreign instances beside it not counted. */
    private boolean grants(long layout, Wish wish, long foreign) {
        if ((layout & wish.exact()) != wish.exact()) {
            return false;
        }
        for (int p = 0; p < ofProfile.length; p++) {
            int surplus = Long.bitCount(layout & ofProfile[p]) - wish.counts().get(p);
            int mayBeSurplus = Long.bitCount(layout & ofProfile[p] & foreign & ~wish.exact());
            if (surplus < 0 || surplus > mayBeSurplus) {
                return false;
            }
        }
        return true;
    }

    /**
     * The cheapest cost of reaching a wish.
     *
     * @param before the layout that is there
     * @param computes how many compute instances each of its cuts has
     * @param busy pinned cuts of our own
     * @param foreign pinned cuts that may be beside what is wished
     * @return null where it cannot be reached
     */
    Cost cheapest(long before, Map<Long, Integer> computes, long busy, long foreign, Wish wish) {
        Cost best = null;
        long pinned = busy | foreign;
        for (long layout : layouts) {
            if ((layout & pinned) == pinned && grants(layout, wish, foreign)) {
                long lost = before & ~layout;
                int lostComputes = computes.entrySet().stream()
                        .filter(entry -> (entry.getKey() & lost) != 0)
                        .mapToInt(Map.Entry::getValue)
                        .sum();
                Cost cost = new Cost(Long.bitCount(lost), lostComputes, stillFits(layout));
                best = best == null || isCheaper(cost, best) ? cost : best;
            }
        }
        return best;
    }

    private static boolean isCheaper(Cost one, Cost other) {
        if (one.gpuInstances() != other.gpuInstances()) {
            return one.gpuInstances() < other.gpuInstances();
        }
        if (one.computeInstances() != other.computeInstances()) {
            return one.computeInstances() < other.computeInstances();
        }
        for (int i = 0; i < one.stillFits().size(); i++) {
            if (!one.stillFits().get(i).equals(other.stillFits().get(i))) {
                return one.stillFits().get(i) > other.stillFits().get(i);
            }
        }
        return false;
    }

    /** The fewest pinned cuts that stand in the way of a wish; -1 where it never fits. */
    int fewestInTheWay(long busy, long foreign, Wish wish) {
        int fewest = -1;
        for (long layout : layouts) {
            int missing = Long.bitCount((busy | foreign) & ~layout);
            if (grants(layout, wish, foreign & layout) && (fewest < 0 || missing < fewest)) {
                fewest = missing;
            }
        }
        return fewest;
    }

    /** Whether a wish can be reached where these pinned cuts may go. */
    boolean helps(long busy, long foreign, Set<Long> evicted, Wish wish) {
        long gone = evicted.stream().reduce(0L, (a, b) -> a | b);
        return layouts.stream()
                .anyMatch(layout -> ((busy | foreign) & ~layout & ~gone) == 0 && grants(layout, wish, foreign & ~gone));
    }
}
