// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import java.io.Serial;

/** The pollers could not let go of a GPU; the message is one sentence that says what they are still in. */
public final class NotReleasedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    NotReleasedException(String sentence) {
        super(sentence);
    }
}
