// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import java.util.List;

/** The requester's side of a request that is being carried out. Called on the thread that waits for the answer. */
public interface Caller {
    /** How long {@link #quiesce} may take, in seconds; a request that has waited longer is refused. */
    int QUIESCE_SECONDS = 10;

    /** The change begins: it is written down, and before this nothing was touched. */
    default void begun() {}

    /**
     * One step has been made.
     *
     * @param sentence what was done
     */
    void progress(String sentence);

    /**
     * Asks to make no NVML call for GPUs until the answer to the request is there, and waits for those under way. A GPU
     * whose call does not return must get no second one, from another process either.
     *
     * @param gpus UUIDs of GPUs
     * @return whether nothing is under way for them any more
     */
    boolean quiesce(List<String> gpus);

    /**
     * Whether to go on: asked before each step of a change that can be called off. What was done of it is undone then.
     *
     * @return false to call it off
     */
    default boolean goOn() {
        return true;
    }

    /**
     * Somebody who makes no NVML calls and wants to hear nothing.
     *
     * @return a silent caller
     */
    static Caller silent() {
        return new Caller() {
            @Override
            public void progress(String sentence) {
                // Nobody listens.
            }

            @Override
            public boolean quiesce(List<String> gpus) {
                return true;
            }
        };
    }
}
