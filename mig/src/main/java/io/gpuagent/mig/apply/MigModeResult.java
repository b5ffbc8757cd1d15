// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

/** What came of turning the MIG mode on or off. */
public sealed interface MigModeResult {
    /** It was so already, and nothing is pending. */
    record Unchanged() implements MigModeResult {}

    /** It is so now, read back. */
    record Changed() implements MigModeResult {}

    /**
     * It will be so behind a reset or reboot, as was allowed.
     *
     * @param todo what must be done, in one sentence
     */
    record Pending(String todo) implements MigModeResult {}

    /**
     * It was begun, and what became of it is not known: a call has not returned, or the GPU does not answer.
     *
     * @param why in one sentence
     */
    record Unknown(String why) implements MigModeResult {}

    /**
     * It is as it was.
     *
     * @param why in one sentence, with what must be done
     * @param isStillPending whether the new mode is pending all the same, because the former one could not be written back
     */
    record Failed(String why, boolean isStillPending) implements MigModeResult {}
}
