// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Placement;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A GPU instance or a compute instance by what and where it is. Ids are no part of it: the card gives them, and gives them
 * again.
 *
 * @param profile NVML's id of the GPU instance's profile
 * @param place where the GPU instance lies
 * @param compute NVML's id of the compute instance's profile; -1 for the GPU instance itself
 * @param start the compute instance's first compute slice; -1 where it is not known
 */
record Piece(int profile, Placement place, int compute, int start) {
    private static final int NONE = -1;

    static Piece of(int profile, Placement place) {
        return new Piece(profile, place, NONE, NONE);
    }

    static Piece of(GpuInstance instance) {
        return of(instance.profile().id(), instance.placement());
    }

    static Piece of(GpuInstance of, ComputeInstance compute) {
        return of(of.profile(), of.placement(), compute.profileId(), compute.placement());
    }

    static Piece of(GpuProfile of, Placement at, int compute, Optional<Placement> placement) {
        return new Piece(of.id(), at, compute, placement.map(Placement::start).orElse(NONE));
    }

    /** All that there is on a GPU. */
    static Set<Piece> all(MigGpu gpu) {
        Set<Piece> pieces = new LinkedHashSet<>();
        for (GpuInstance instance : gpu.instances()) {
            pieces.add(of(instance));
            instance.computes().forEach(compute -> pieces.add(of(instance, compute)));
        }
        return pieces;
    }

    boolean isGpuInstance() {
        return compute == NONE;
    }

    /** Whether another one is this, as far as it is known where this is. */
    boolean isMetBy(Piece other) {
        return equals(other) || equals(new Piece(other.profile, other.place, other.compute, NONE));
    }

    /** Such as {@code 9@4+4} for a GPU instance, {@code 9@4+4/0@2} for a compute instance. */
    String text() {
        String whole = profile + "@" + place.start() + "+" + place.size();
        return isGpuInstance() ? whole : whole + "/" + compute + "@" + start;
    }

    static Piece parse(String text) {
        String[] parts = text.split("[@+/]", -1);
        Placement place = new Placement(Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        int profile = Integer.parseInt(parts[0]);
        return parts.length == 3
                ? of(profile, place)
                : new Piece(profile, place, Integer.parseInt(parts[3]), Integer.parseInt(parts[4]));
    }

    /** In words, with the names of a card. */
    String words(MigGpu on) {
        String name =
                on.card().byId(profile).map(GpuProfile::name).orElse("profile " + profile) + " at " + place.start();
        return isGpuInstance() ? name : "a compute instance of " + name;
    }
}
