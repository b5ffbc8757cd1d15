// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.io.Serial;

/** A change was not, or not wholly, made; the message is one sentence for the user. */
public final class ChangeRefused extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** How far it came. */
    public enum Kind {
        /** An argument is not what it must be; nothing was touched. */
        BAD_REQUEST,
        /** There is no such daemon, client or device; nothing was touched. */
        NOT_FOUND,
        /** This user or process may not; nothing was touched. */
        NOT_ALLOWED,
        /** The card, driver or program cannot do it; nothing was touched. */
        NOT_SUPPORTED,
        /** Clients, or another daemon on the same device, stand against it; nothing was touched. */
        IN_USE,
        /** It was tried and failed; all is as it was before. */
        FAILED,
        /** It was tried and failed in the middle; the sentence tells what is left. */
        HALF_DONE
    }

    /**
     * A refusal.
     *
     * @param kind how far it came
     * @param sentence what was wrong, where, and what would be right
     */
    public ChangeRefused(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /**
     * How far it came.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }
}
