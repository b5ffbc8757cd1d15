// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.Engines;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.GpuProfile;
import io.gpuagent.mig.MigCard;
import io.gpuagent.mig.Placement;
import java.util.Arrays;
import java.util.List;

/**
 * What a card has beside slices: a number of instances of each profile, and engines. What lives is proof: where the
 * present layout has more than the tables allow, the tables are wrong, and it counts.
 */
final class Budget {
    private final List<GpuProfile> profiles;
    private final long[][] masks;
    private final int[] limits;
    private final Engines engines;

    Budget(MigCard card, List<GpuInstance> live) {
        profiles = card.profiles();
        masks = new long[profiles.size()][];
        limits = new int[profiles.size()];
        Engines used = Engines.NONE;
        int[] counts = new int[profiles.size()];
        for (GpuInstance instance : live) {
            used = used.plus(instance.profile().engines());
            int index = indexOf(instance.profile());
            if (index >= 0) {
                counts[index]++;
            }
        }
        for (int i = 0; i < limits.length; i++) {
            limits[i] = Math.max(profiles.get(i).limit(), counts[i]);
            masks[i] = profiles.get(i).placements().stream()
                    .mapToLong(Placement::mask)
                    .toArray();
        }
        engines = card.engines().or(used);
    }

    /** The index of a profile among the card's; -1 where the card does not list it. */
    int indexOf(GpuProfile profile) {
        for (int i = 0; i < profiles.size(); i++) {
            if (profiles.get(i).id() == profile.id()) {
                return i;
            }
        }
        return -1;
    }

    Engines engines() {
        return engines;
    }

    int limit(int profile) {
        return limits[profile];
    }

    boolean allows(int[] counts, Engines used) {
        for (int i = 0; i < limits.length; i++) {
            if (counts[i] > limits[i]) {
                return false;
            }
        }
        return used.isWithin(engines);
    }

    /** How many more of each profile there is a count and are engines for, wherever they would lie. */
    int[] leftOver(int[] counts, Engines used) {
        int[] left = new int[limits.length];
        for (int i = 0; i < left.length; i++) {
            Engines one = profiles.get(i).engines();
            int more = 0;
            while (counts[i] + more < limits[i]
                    && used.plus(one.times(more + 1)).isWithin(engines)) {
                more++;
            }
            left[i] = more;
        }
        return left;
    }

    /** How many of each profile still fit, each by itself, beside the slices taken. */
    void stillFits(long taken, int[] leftOver, int[] result) {
        Arrays.fill(result, 0);
        for (int i = 0; i < result.length; i++) {
            long full = taken;
            // The places of a profile are equally long and come from the left: taking each free one finds the most.
            for (long mask : masks[i]) {
                if (result[i] < leftOver[i] && (full & mask) == 0) {
                    full |= mask;
                    result[i]++;
                }
            }
        }
    }
}
