// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PciAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that is known of one GPU.
 *
 * @param key its UUID; its bus id as long as the UUID is not known
 * @param pci where it sits
 * @param problems its problems
 * @param xids counts of Xids in this boot
 * @param sightings Xids that one source has reported and the other not yet
 * @param counters counters as they were read last
 * @param streaks for how many readings in a row something has been so, by code
 * @param places where on the chip exceptions happened, with the programs that ran into them
 * @param instances MIG GPU instances as read last, each with what tells it from a later one
 * @param recovery the recovery action, as read or as the driver's log announced it
 * @param lastRead when it was last read, whatever the answer
 * @param lastClean when it last answered and asked for nothing
 * @param reset when it was last known to be reset or its driver loaded anew
 * @param remapPendingSeen when a row remap was last seen to be pending
 */
public record GpuFacts(
        String key,
        Optional<PciAddress> pci,
        Problems problems,
        Map<Integer, XidTally> xids,
        Sightings sightings,
        Counters counters,
        Map<String, Integer> streaks,
        Map<String, Set<Long>> places,
        Map<Integer, String> instances,
        Optional<Recovery> recovery,
        Optional<Moment> lastRead,
        Optional<Moment> lastClean,
        Optional<Moment> reset,
        Optional<Moment> remapPendingSeen) {
    /**
     * The action that recovers the GPU.
     *
     * @param action the driver's number; an open list
     * @param at when it was read or announced
     */
    public record Recovery(int action, Moment at) {}

    static GpuFacts of(String key, Optional<PciAddress> pci) {
        return new GpuFacts(
                key,
                pci,
                Problems.NONE,
                Map.of(),
                Sightings.NONE,
                Counters.NONE,
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
