// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a GPU answers at all.
 *
 * @param state the state
 * @param detail one sentence for a person, or null when all is well
 */
public record GpuCondition(State state, @Nullable String detail) {
    /** All is well. */
    public static final GpuCondition OK = new GpuCondition(State.OK, null);

    /** The states. */
    public enum State {
        /** It has not been read yet. */
        STARTING,
        /** It answers. */
        OK,
        /** A call to it has not returned within its deadline. */
        UNRESPONSIVE,
        /** It has fallen off the bus ({@code NVML_ERROR_GPU_IS_LOST}). */
        LOST,
        /** It wants a reset ({@code NVML_ERROR_RESET_REQUIRED}). */
        RESET_REQUIRED,
        /** Each call to it fails; the detail names the code. */
        FAILING,
        /** The agent has let go of it while it is changed, and asks it nothing. */
        RELEASED;

        /**
         * The name as a label value.
         *
         * @return lower case
         */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
