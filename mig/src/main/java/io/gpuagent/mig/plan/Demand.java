// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import java.util.List;

/**
 * Equal wanted instances, and where each may come to lie.
 *
 * @param wanted one of them
 * @param count how many
 * @param profile the index of their profile among the card's
 * @param candidates their places, from the left
 */
record Demand(WantedInstance wanted, int count, int profile, List<Candidate> candidates) {
    /** No number of compute instances: pinned ones stand in the way. */
    static final int NO_WAY = -1;

    /**
     * A place.
     *
     * @param start its first slice
     * @param mask its slices
     * @param live index of the instance of the same profile that has this place now; -1: it would be made
     * @param overlapped the instances that lie there now, as bits
     * @param computesUnpinned compute instances to destroy there where nothing is pinned
     * @param computesPinned the same where the instance is pinned, or {@link #NO_WAY}
     */
    record Candidate(int start, long mask, int live, long overlapped, int computesUnpinned, int computesPinned) {}
}
