// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Locale;

/**
 * How one of the sources of the verdicts does. One that does not speak is never taken for good news.
 *
 * @param name {@code kernel_log}, {@code nvml_events}, {@code nvml} or {@code store}
 * @param state how it does
 * @param detail one sentence: what is the matter and what would be right; empty where all is well
 * @param received what it has delivered since the agent started: lines, events, polls, or batches written
 * @param lost how many lines are known to be missing
 * @param refused how many lines were not believed: written by a program and not by the kernel, or broken
 */
public record SourceStatus(String name, State state, String detail, long received, long lost, long refused) {
    /** The states. */
    public enum State {
        /** Nothing was heard of it yet. */
        STARTING,
        /** It speaks, or would. */
        OK,
        /** It is switched off, by a module parameter or because the driver cannot do it. */
        DISABLED,
        /** This user may not read it. */
        DENIED,
        /** There is no such thing on this machine. */
        ABSENT,
        /** It fails, and is tried again. */
        FAILED;

        /**
         * The name in JSON.
         *
         * @return lower case
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
