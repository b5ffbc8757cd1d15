// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.io.Serial;

/** What was asked for cannot be meant; the message is one sentence: what was wrong, and what would be right. */
public final class MigRequestException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes one.
     *
     * @param sentence the message
     */
    public MigRequestException(String sentence) {
        super(sentence);
    }
}
