// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control;

import java.io.Serial;

/** A request is not, or not wholly, carried out; the message is one sentence for the user. */
public final class ControlException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final RefusalCode code;

    /**
     * A refusal.
     *
     * @param code its kind
     * @param sentence what is wrong, where, and what would be right
     */
    public ControlException(RefusalCode code, String sentence) {
        super(sentence);
        this.code = code;
    }

    /**
     * A refusal with a cause.
     *
     * @param code its kind
     * @param sentence what is wrong, where, and what would be right
     * @param cause what was thrown
     */
    public ControlException(RefusalCode code, String sentence, Throwable cause) {
        super(sentence, cause);
        this.code = code;
    }

    /**
     * The refusal as an answer.
     *
     * @return code and sentence
     */
    public Answer.Refused refusal() {
        return new Answer.Refused(code, String.valueOf(getMessage()));
    }
}
