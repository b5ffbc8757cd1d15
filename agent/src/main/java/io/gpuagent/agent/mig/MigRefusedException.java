// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.Answer;
import io.gpuagent.control.RefusalCode;
import java.io.Serial;

/** Something about MIG that is not done; the message is one sentence. */
public final class MigRefusedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final RefusalCode code;

    /**
     * A refusal.
     *
     * @param code why
     * @param sentence what is wrong, where, and what would be right
     */
    public MigRefusedException(RefusalCode code, String sentence) {
        super(sentence);
        this.code = code;
    }

    static MigRefusedException of(Answer.Refused refused) {
        return new MigRefusedException(refused.code(), refused.sentence());
    }

    /**
     * Why.
     *
     * @return the port's code
     */
    public RefusalCode code() {
        return code;
    }

    /**
     * The sentence for the user.
     *
     * @return one sentence
     */
    public String sentence() {
        return String.valueOf(getMessage());
    }
}
