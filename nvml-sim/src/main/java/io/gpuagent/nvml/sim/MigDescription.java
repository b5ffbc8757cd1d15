// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How a card can be cut up.
 *
 * @param memorySlices the axis on which GPU instances lie
 * @param computeSlices how many MIG devices there can be
 * @param storesMode whether the mode is in the InfoROM and so outlives a reboot (Ampere)
 * @param barSlice bytes of BAR1 for each memory slice of an instance
 * @param idleSlice bytes that an instance uses for each memory slice while nothing runs
 * @param profiles the kinds of GPU instances
 */
record MigDescription(
        int memorySlices,
        int computeSlices,
        boolean storesMode,
        long barSlice,
        long idleSlice,
        List<MigProfile> profiles) {
    static MigDescription parse(JsonTree tree) {
        List<MigProfile> profiles = new ArrayList<>();
        for (JsonTree profile : tree.objects("profiles")) {
            profiles.add(MigProfile.parse(profile));
        }
        return new MigDescription(
                tree.smallInteger("memory-slices"),
                tree.smallInteger("compute-slices"),
                tree.flag("stores-mode", false),
                tree.integer("bar1-slice"),
                tree.integer("idle-slice"),
                List.copyOf(profiles));
    }

    Optional<MigProfile> byKind(int kind) {
        return profiles.stream().filter(profile -> profile.kind() == kind).findFirst();
    }

    Optional<MigProfile> byId(int id) {
        return profiles.stream().filter(profile -> profile.id() == id).findFirst();
    }

    Optional<MigProfile> byName(String name) {
        return profiles.stream().filter(profile -> profile.name().equals(name)).findFirst();
    }

    /** The engines of the whole card, which its largest profile has. */
    Engines engines() {
        return largest().engines();
    }

    int multiprocessors() {
        return largest().multiprocessors();
    }

    /** SMs of a compute slice: those of the smallest profile. */
    int multiprocessorsPerSlice() {
        return profiles.stream()
                .filter(profile -> profile.slices() == 1)
                .mapToInt(MigProfile::multiprocessors)
                .min()
                .orElseThrow();
    }

    private MigProfile largest() {
        return profiles.stream()
                .max(Comparator.comparingInt(MigProfile::slices))
                .orElseThrow();
    }

    /**
     * The id of the GPU instance at a place. The driver numbers the whole, the halves, the quarters and the eighths of a
     * card in the order in which they physically lie. On some boards the halves of the axis that users see are swapped:
     * both were seen on A100 and H100.
     */
    int instanceId(Placement place, boolean isSwapped) {
        int start = isSwapped ? (place.start() + memorySlices / 2) % memorySlices : place.start();
        int parts = memorySlices / place.size();
        return parts == 1 ? 0 : parts - 1 + start / place.size();
    }
}
