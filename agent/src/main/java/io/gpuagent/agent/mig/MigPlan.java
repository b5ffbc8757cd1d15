// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.mig.plan.PinRules;
import java.time.Instant;
import java.util.List;

/**
 * A plan for the node, kept until it is applied or forgotten.
 *
 * @param id by which it is applied
 * @param createdAt when it was made
 * @param kind what it was made for
 * @param source what it was made from, in a few words
 * @param rules what must stay
 * @param gpus the GPUs that are named, by index
 * @param notes what should be known, a sentence each
 */
public record MigPlan(
        String id,
        Instant createdAt,
        Kind kind,
        String source,
        PinRules rules,
        List<GpuPlan> gpus,
        List<String> notes) {
    /** Takes copies of the lists. */
    public MigPlan {
        gpus = List.copyOf(gpus);
        notes = List.copyOf(notes);
    }

    /** What a plan is made for. */
    public enum Kind {
        /** A layout file. */
        LAYOUT,
        /** The whole wanted set of one GPU. */
        REPARTITION,
        /** The layout before the last change. */
        ROLLBACK
    }

    /**
     * Whether it can be carried out: where one GPU cannot get what is wanted, none is touched.
     *
     * @return whether
     */
    public boolean isPossible() {
        return gpus.stream().noneMatch(gpu -> gpu.state() == GpuPlan.State.IMPOSSIBLE);
    }

    /**
     * Whether there is nothing to do.
     *
     * @return whether every GPU has what is wanted
     */
    public boolean isNoChange() {
        return isPossible() && gpus.stream().noneMatch(gpu -> gpu.state() == GpuPlan.State.CHANGE);
    }
}
