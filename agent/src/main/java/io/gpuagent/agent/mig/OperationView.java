// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.model.GpuIdentity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An operation at one moment.
 *
 * @param id by which it is asked for
 * @param kind what it is about
 * @param plan the plan that it carries out
 * @param user who asked for it
 * @param createdAt when
 * @param startedAt when it was begun; empty while it waits
 * @param endedAt when it ended; empty before
 * @param state how far it is
 * @param isCancelling whether it was asked to end before its end
 * @param sentence what came of it, and what stands; empty text while it goes on
 * @param gpus its GPUs, in the order in which they are changed
 */
public record OperationView(
        String id,
        OperationKind kind,
        Optional<String> plan,
        String user,
        Instant createdAt,
        Optional<Instant> startedAt,
        Optional<Instant> endedAt,
        OperationState state,
        boolean isCancelling,
        String sentence,
        List<OnGpu> gpus) {
    /** Takes a copy of the list. */
    public OperationView {
        gpus = List.copyOf(gpus);
    }

    /**
     * The part of one GPU.
     *
     * @param gpu the GPU
     * @param state how far it is
     * @param sentence what came of it; empty text before
     * @param log what has happened, oldest first
     */
    public record OnGpu(GpuIdentity gpu, OperationState state, String sentence, List<Line> log) {
        /** Takes a copy of the list. */
        public OnGpu {
            log = List.copyOf(log);
        }
    }

    /**
     * Something that has happened.
     *
     * @param at when
     * @param text in one sentence
     */
    public record Line(Instant at, String text) {}
}
