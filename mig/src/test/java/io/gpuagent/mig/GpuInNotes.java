// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import io.gpuagent.model.GpuIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A GPU written down in short: {@code 2g.35gb@0 1g.18gb@2}, each with one compute instance that takes all of it. Ids
 * follow the straight numbering of boards unless they are given.
 */
public final class GpuInNotes {
    private final MigCard card;
    private final List<GpuInstance> instances = new ArrayList<>();
    private GpuIdentity identity = new GpuIdentity(0, "GPU-00000000-0000-0000-0000-000000000000");

    public GpuInNotes(MigCard card) {
        this.card = card;
    }

    public GpuInNotes index(int index) {
        identity = new GpuIdentity(index, "GPU-00000000-0000-0000-0000-00000000000" + index);
        return this;
    }

    /** Idle instances of our own, such as {@code 2g.35gb@0 1g.18gb@2}. */
    public GpuInNotes idle(String notes) {
        return each(notes, Ownership.OWN, List.of());
    }

    public GpuInNotes busy(String notes) {
        return each(notes, Ownership.OWN, List.of(busyWith(4711)));
    }

    public GpuInNotes foreign(String notes) {
        return each(notes, Ownership.FOREIGN, List.of());
    }

    public GpuInNotes with(String notes, Claim... claims) {
        return each(notes, Ownership.OWN, List.of(claims));
    }

    private GpuInNotes each(String notes, Ownership ownership, List<Claim> claims) {
        for (String note : notes.strip().split(" +", -1)) {
            if (!note.isEmpty()) {
                instances.add(instance(note, ownership, claims));
            }
        }
        return this;
    }

    public GpuInNotes add(GpuInstance instance) {
        instances.add(instance);
        return this;
    }

    public GpuInstance instance(String note, Ownership ownership, List<Claim> claims) {
        GpuProfile profile = profile(note.split("@", -1)[0]);
        Placement place =
                profile.placementAt(Integer.parseInt(note.split("@", -1)[1])).orElseThrow();
        return new GpuInstance(straightId(place), profile, place, List.of(full(profile)), ownership, claims);
    }

    public static ComputeInstance full(GpuProfile profile) {
        return new ComputeInstance(
                0, 0, profile.name(), profile.slices(), Optional.of(new Placement(0, profile.slices())));
    }

    public static Claim busyWith(long pid) {
        return new Claim.Runs(Holder.process(pid, "python"), OptionalInt.of(0));
    }

    public GpuProfile profile(String name) {
        try {
            return new ProfileNames(card).resolve(name);
        } catch (MigRequestException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** As boards number that do not swap their halves: the whole is 0, halves 1 and 2, quarters 3 to 6, eighths 7 to 14. */
    private int straightId(Placement place) {
        int parts = card.width() / place.size();
        return parts - 1 + place.start() / place.size();
    }

    public MigGpu gpu() {
        return new MigGpu(identity, "NVIDIA H200", card, instances);
    }
}
