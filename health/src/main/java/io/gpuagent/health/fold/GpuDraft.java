// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PciAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One GPU's facts in the making. */
final class GpuDraft implements ProblemOwner {
    private static final int MAX_CODES = 256;
    private static final int MAX_PLACES = 64;
    private static final int MAX_PIDS = 8;

    private final Draft node;
    private final String key;
    private boolean isForgotten;

    Optional<PciAddress> pci;
    Sightings sightings;
    Counters counters;
    Map<Integer, String> instances;
    Optional<GpuFacts.Recovery> recovery;
    Optional<Moment> lastRead;
    Optional<Moment> lastClean;
    Optional<Moment> reset;
    Optional<Moment> remapPendingSeen;
    private Problems problems;
    private Map<Integer, XidTally> xids;
    private Map<String, Integer> streaks;
    private Map<String, Set<Long>> places;

    GpuDraft(Draft node, GpuFacts facts) {
        this.node = node;
        this.key = facts.key();
        this.pci = facts.pci();
        this.problems = facts.problems();
        this.xids = facts.xids();
        this.sightings = facts.sightings();
        this.counters = facts.counters();
        this.streaks = facts.streaks();
        this.places = facts.places();
        this.instances = facts.instances();
        this.recovery = facts.recovery();
        this.lastRead = facts.lastRead();
        this.lastClean = facts.lastClean();
        this.reset = facts.reset();
        this.remapPendingSeen = facts.remapPendingSeen();
    }

    GpuFacts build() {
        return new GpuFacts(
                key,
                pci,
                problems,
                xids,
                sightings,
                counters,
                streaks,
                places,
                instances,
                recovery,
                lastRead,
                lastClean,
                reset,
                remapPendingSeen);
    }

    String key() {
        return key;
    }

    @Override
    public Draft node() {
        return node;
    }

    Moment at() {
        return node.at;
    }

    @Override
    public Problems problems() {
        return problems;
    }

    @Override
    public void put(Problem problem) {
        node.tell(problems.byId(problem.id()), problem, key);
        problems = problems.with(problem);
    }

    void count(int code) {
        XidTally tally = xids.get(code);
        if (tally == null && xids.size() == MAX_CODES) {
            return;
        }
        Map<Integer, XidTally> more = new TreeMap<>(xids);
        more.put(code, tally == null ? new XidTally(1, false, node.at) : tally.plus(node.at));
        xids = more;
        node.worthStoring();
    }

    /** There were more of this Xid than lines. */
    void moreThanCounted(int code) {
        XidTally tally = xids.get(code);
        if (tally != null && !tally.isAtLeast()) {
            Map<Integer, XidTally> more = new TreeMap<>(xids);
            more.put(code, tally.atLeast());
            xids = more;
            node.worthStoring();
        }
    }

    void moreThanCounted() {
        xids.keySet().forEach(this::moreThanCounted);
        problems.open()
                .filter(problem -> problem.xid() >= 0 && !problem.isAtLeast())
                .forEach(problem -> put(problem.draft().atLeast().build()));
    }

    /** A new boot counts from the beginning. */
    void countAnew() {
        xids = Map.of();
        sightings = Sightings.NONE;
        counters = Counters.NONE;
    }

    int streak(String code, boolean isSo) {
        int before = streaks.getOrDefault(code, 0);
        if (!isSo && before == 0) {
            return 0;
        }
        Map<String, Integer> more = new TreeMap<>(streaks);
        int length = isSo ? more.merge(code, 1, Integer::sum) : 0;
        if (!isSo) {
            more.remove(code);
        }
        streaks = more;
        return length;
    }

    /** How many programs have now run into an exception at a place of the chip. */
    int programsAt(String place, long pid) {
        Set<Long> known = places.getOrDefault(place, Set.of());
        if (known.contains(pid) || known.size() == MAX_PIDS || (known.isEmpty() && places.size() == MAX_PLACES)) {
            return known.size();
        }
        Set<Long> pids = new HashSet<>(known);
        pids.add(pid);
        Map<String, Set<Long>> more = new HashMap<>(places);
        more.put(place, Set.copyOf(pids));
        places = more;
        return pids.size();
    }

    /** What was known of this GPU before anybody knew its UUID. */
    void inherit(GpuFacts nameless) {
        for (Problem problem : nameless.problems().all()) {
            problems = problems.with(problem);
        }
        Map<Integer, XidTally> more = new TreeMap<>(xids);
        nameless.xids().forEach((code, tally) -> more.merge(code, tally, GpuDraft::sum));
        xids = more;
        sightings = nameless.sightings();
        recovery = recovery.isPresent() ? recovery : nameless.recovery();
        node.worthStoring();
    }

    private static XidTally sum(XidTally one, XidTally other) {
        return new XidTally(
                one.count() + other.count(),
                one.isAtLeast() || other.isAtLeast(),
                one.last().nanos() > other.last().nanos() ? one.last() : other.last());
    }

    /** All that was kept here has gone to another key. */
    void forget() {
        problems = Problems.NONE;
        xids = Map.of();
        sightings = Sightings.NONE;
        isForgotten = true;
    }

    boolean isForgotten() {
        return isForgotten;
    }
}
