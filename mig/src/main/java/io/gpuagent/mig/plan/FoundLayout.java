// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.Arrays;

/** A layout that the search found, in the form in which it compares fastest. */
final class FoundLayout implements Comparable<FoundLayout> {
    private final int gpuInstances;
    private final int computeInstances;
    private final int[] fits;
    private final int[] profileAt;
    private final Demand.Candidate[] chosen;

    /**
     * Takes the arrays, without copying them.
     *
     * @param gpuInstances GPU instances destroyed
     * @param computeInstances compute instances destroyed
     * @param fits how many of each profile still fit
     * @param profileAt by first slice the index of the profile; a greater number where no instance starts
     * @param chosen the places of all demands, one behind the other
     */
    FoundLayout(int gpuInstances, int computeInstances, int[] fits, int[] profileAt, Demand.Candidate[] chosen) {
        this.gpuInstances = gpuInstances;
        this.computeInstances = computeInstances;
        this.fits = fits;
        this.profileAt = profileAt;
        this.chosen = chosen;
    }

    /** A copy that nothing changes any more. */
    FoundLayout copy() {
        return new FoundLayout(gpuInstances, computeInstances, fits.clone(), profileAt.clone(), chosen.clone());
    }

    int gpuInstances() {
        return gpuInstances;
    }

    int computeInstances() {
        return computeInstances;
    }

    Demand.Candidate chosen(int index) {
        return chosen[index];
    }

    Cost cost() {
        return new Cost(
                gpuInstances, computeInstances, Arrays.stream(fits).boxed().toList());
    }

    /** The cheaper one first; of equal costs the one that has an instance, or a larger one, at the highest slice in which they differ. */
    @Override
    public int compareTo(FoundLayout other) {
        int order = Integer.compare(gpuInstances, other.gpuInstances);
        order = order != 0 ? order : Integer.compare(computeInstances, other.computeInstances);
        order = order != 0 ? order : Arrays.compare(other.fits, fits);
        for (int slice = profileAt.length - 1; order == 0 && slice >= 0; slice--) {
            order = Integer.compare(profileAt[slice], other.profileAt[slice]);
        }
        return order;
    }
}
