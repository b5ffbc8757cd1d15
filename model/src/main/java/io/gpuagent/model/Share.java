// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Optional;

/**
 * The piece of a GPU that an MPS client may use at most. A part that is absent is not limited, or left as it is, as the
 * place says that uses it. Shares of several clients may add up to more than the GPU.
 *
 * @param threads which part of the multiprocessors
 * @param memory how much device memory, for each process; {@link PinnedMemoryLimit#NONE} asks to take a limit off
 * @param priority how its work is ranked
 */
public record Share(
        Optional<ThreadPercentage> threads, Optional<PinnedMemoryLimit> memory, Optional<ClientPriority> priority) {
    /** No limit of any kind. */
    public static final Share UNLIMITED = new Share(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * This share with another part of the multiprocessors.
     *
     * @param percentage the part
     * @return the new share
     */
    public Share withThreads(ThreadPercentage percentage) {
        return new Share(Optional.of(percentage), memory, priority);
    }

    /**
     * This share with another limit of memory.
     *
     * @param limit the limit
     * @return the new share
     */
    public Share withMemory(PinnedMemoryLimit limit) {
        return new Share(threads, Optional.of(limit), priority);
    }

    /**
     * This share with another priority.
     *
     * @param rank the priority
     * @return the new share
     */
    public Share withPriority(ClientPriority rank) {
        return new Share(threads, memory, Optional.of(rank));
    }

    /**
     * What this share changes of another: each part of this one, where it is given, and the other's elsewhere. Of {@link
     * PinnedMemoryLimit#NONE}, no limit is left.
     *
     * @param other the share below
     * @return both in one
     */
    public Share over(Share other) {
        return new Share(
                threads.or(other::threads),
                memory.or(other::memory).filter(limit -> !limit.isNone()),
                priority.or(other::priority));
    }
}
