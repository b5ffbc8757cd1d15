// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.Nvml;

/** Initialises NVML with {@link io.gpuagent.nvml.Access#CONTROL}. */
@FunctionalInterface
public interface NvmlSource {
    /**
     * Opens a session of its own, which its receiver closes.
     *
     * @return the session, or why there is none
     */
    Answer<Nvml> open();

    /**
     * A session was shut down that came from here: the library it was opened from may be closed.
     *
     * @param session the session
     */
    default void closed(Nvml session) {
        // A library that stays has nothing to be closed.
    }
}
