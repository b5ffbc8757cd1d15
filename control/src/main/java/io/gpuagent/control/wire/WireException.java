// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import java.io.Serial;

/** A line is not what this protocol says; the message is one sentence. */
public final class WireException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    WireException(String sentence) {
        super(sentence);
    }

    WireException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
