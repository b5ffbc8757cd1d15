// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.Comparator;
import java.util.List;

/**
 * What a plan costs, in the order in which it counts. That nothing pinned is destroyed is no cost but a condition.
 *
 * @param gpuInstances GPU instances destroyed
 * @param computeInstances compute instances destroyed, those of destroyed GPU instances among them
 * @param stillFits how many of each of the card's profiles, largest first, still fit afterwards, each by itself; the more
 *     of the first in which two plans differ, the better
 */
public record Cost(int gpuInstances, int computeInstances, List<Integer> stillFits) implements Comparable<Cost> {
    private static final Comparator<Cost> DESTROYED =
            Comparator.comparingInt(Cost::gpuInstances).thenComparingInt(Cost::computeInstances);

    /** Takes a copy of the list. */
    public Cost {
        stillFits = List.copyOf(stillFits);
    }

    /** The cheaper one first. Both are of one card. */
    @Override
    public int compareTo(Cost other) {
        int destroyed = DESTROYED.compare(this, other);
        for (int i = 0; destroyed == 0 && i < stillFits.size(); i++) {
            destroyed = Integer.compare(other.stillFits.get(i), stillFits.get(i));
        }
        return destroyed;
    }
}
