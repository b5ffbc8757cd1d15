// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.List;
import java.util.Optional;

/**
 * What a card can be cut into, as NVML says; no table of ours has a part in it.
 *
 * @param profiles the kinds of GPU instances, at least one; kept largest first
 */
public record MigCard(List<GpuProfile> profiles) {
    /** Sorts the profiles, so that nothing depends on the order in which they were read. */
    public MigCard {
        profiles = profiles.stream().sorted(GpuProfile.LARGEST_FIRST).toList();
        if (profiles.isEmpty()) {
            throw new IllegalArgumentException("a card without MIG profiles cannot be cut up");
        }
        if (profiles.stream().map(GpuProfile::id).distinct().count() != profiles.size()) {
            throw new IllegalArgumentException("two MIG profiles have one id");
        }
    }

    /**
     * Memory slices of the axis on which GPU instances lie: 8 on an H200, 4 on an A30, 12 on an RTX PRO 6000.
     *
     * @return the end of the place that ends last
     */
    public int width() {
        return profiles.stream()
                .flatMap(profile -> profile.placements().stream())
                .mapToInt(Placement::end)
                .max()
                .orElse(0);
    }

    /**
     * The engines of the whole card: of each kind as many as the profile with the most of it has. That the engines of
     * all instances cannot be more is inferred from the profile tables; NVML does not say it.
     *
     * @return the engines
     */
    public Engines engines() {
        return profiles.stream().map(GpuProfile::engines).reduce(Engines.NONE, Engines::or);
    }

    /**
     * The profile with an id.
     *
     * @param id NVML's id of this card
     * @return the profile, empty where there is none
     */
    public Optional<GpuProfile> byId(int id) {
        return profiles.stream().filter(profile -> profile.id() == id).findFirst();
    }
}
