// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.RefusalCode;
import java.util.Locale;

/** How far an operation is, and how it ended. */
public enum OperationState {
    /** It waits for another one on the same GPU. */
    QUEUED,
    /** It is being carried out. */
    RUNNING,
    /** All is as wanted, read back. */
    DONE,
    /** A step failed, and all is as it was before. */
    ROLLED_BACK,
    /** It failed and stands half-way, or it is not known how far it came; the sentence tells what is left. */
    FAILED,
    /** Nothing was touched. */
    REFUSED,
    /** It was called off, and all is as it was before. */
    CANCELLED;

    /**
     * Whether nothing comes after it.
     *
     * @return whether it has ended
     */
    public boolean isEnd() {
        return this != QUEUED && this != RUNNING;
    }

    /**
     * The name in the API.
     *
     * @return lower case with hyphens
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static OperationState of(RefusalCode code) {
        return switch (code) {
            case FAILED -> ROLLED_BACK;
            case HALF_DONE, OUTCOME_UNKNOWN -> FAILED;
            case CANCELLED -> CANCELLED;
            case BAD_REQUEST,
                    NOT_ALLOWED,
                    NO_HELPER,
                    BUSY,
                    NOT_QUIESCED,
                    NOT_RECORDED,
                    UNSAFE_FOLDER,
                    NOT_FOUND,
                    NOT_SUPPORTED,
                    IN_USE,
                    STALE,
                    IMPOSSIBLE -> REFUSED;
        };
    }
}
