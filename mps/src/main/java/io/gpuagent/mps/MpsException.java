// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps;

import java.io.Serial;

/** The one exception of this module; its message is one sentence for the user. */
public final class MpsException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * A failure.
     *
     * @param sentence what was wrong, where, and what would be right
     */
    public MpsException(String sentence) {
        super(sentence);
    }

    /**
     * A failure with a cause.
     *
     * @param sentence what was wrong, where, and what would be right
     * @param cause what the JDK threw
     */
    public MpsException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
