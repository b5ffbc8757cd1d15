// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

/** Is told how a change goes on, on the thread that carries it out. */
@FunctionalInterface
public interface Progress {
    /** Is told nothing. */
    Progress NONE = event -> {};

    /**
     * Something has happened.
     *
     * @param event what
     */
    void on(Event event);

    /** What can happen. */
    enum Kind {
        /** A step is about to be made. */
        BEGUN,
        /** The driver said IN_USE; the step is tried again. */
        RETRIED,
        /** NVML said yes and shows otherwise; it was initialised anew. */
        REOPENED,
        /** The step was made and read back. */
        DONE,
        /** From here on it is the way back; the steps that follow are those of the way back. */
        UNDOING
    }

    /**
     * Something that has happened.
     *
     * @param kind what
     * @param step which step, from 1
     * @param steps of how many
     * @param words the step in words, or the reason of the way back
     */
    record Event(Kind kind, int step, int steps, String words) {}
}
