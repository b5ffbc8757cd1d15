// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

/** Who has problems while an observation is folded in: a GPU, or the node. */
interface ProblemOwner {
    /** The problems so far. */
    Problems problems();

    /** Puts a problem in the place of the one with its id, or at the end, and tells what has changed. */
    void put(Problem problem);

    /** The node's facts in the making. */
    Draft node();
}
