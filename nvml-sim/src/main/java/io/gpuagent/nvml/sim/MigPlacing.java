// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What still fits on a card beside the GPU instances it has: places, numbers, slices and engines. */
record MigPlacing(MigDescription card, Collection<MigGpuInstance> live) {
    boolean fits(MigProfile profile, Placement at) {
        return live.stream().noneMatch(instance -> instance.placement().overlaps(at)) && leftOver(profile) > 0;
    }

    /**
     * Where an instance goes when the caller does not say.
     *
     * @param policy which of the places that are free
     * @return none where there is none
     */
    Optional<Placement> place(MigProfile profile, SimulatedMig.Placing policy) {
        Comparator<Placement> byStart = Comparator.comparingInt(Placement::start);
        return profile.placements().stream()
                .filter(at -> fits(profile, at))
                .min(policy == SimulatedMig.Placing.FIRST_START ? byStart : byStart.reversed());
    }

    /** How many more of a profile there can be. */
    int capacity(MigProfile profile) {
        List<Placement> taken = new ArrayList<>();
        live.forEach(instance -> taken.add(instance.placement()));
        int free = 0;
        // All places of a profile are equally long, so taking each that is free, from the left, finds the most.
        for (Placement at : profile.placements()) {
            if (taken.stream().noneMatch(at::overlaps)) {
                taken.add(at);
                free++;
            }
        }
        return Math.min(free, leftOver(profile));
    }

    /** For how many more there are slices and engines left, wherever they would lie. */
    private int leftOver(MigProfile profile) {
        int count = (int) live.stream()
                .filter(instance -> instance.profile().equals(profile))
                .count();
        int slices =
                live.stream().mapToInt(instance -> instance.profile().slices()).sum();
        Engines engines =
                live.stream().map(instance -> instance.profile().engines()).reduce(Engines.NONE, Engines::plus);
        int more = 0;
        while (count + more < profile.most()
                && slices + profile.slices() <= card.computeSlices()
                && engines.plus(profile.engines()).isWithin(card.engines())) {
            slices += profile.slices();
            engines = engines.plus(profile.engines());
            more++;
        }
        return more;
    }
}
