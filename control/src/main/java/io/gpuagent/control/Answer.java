// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

/** What became of a request. */
public sealed interface Answer {
    /**
     * It was carried out, and read back where it was a change.
     *
     * @param outcome what came of it
     */
    record Done(Outcome outcome) implements Answer {}

    /**
     * It was not, or not wholly, carried out.
     *
     * @param code why
     * @param sentence one sentence for the user: what is wrong, where, and what would be right
     */
    record Refused(RefusalCode code, String sentence) implements Answer {}
}
