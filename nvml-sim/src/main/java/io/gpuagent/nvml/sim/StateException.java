// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import org.jspecify.annotations.Nullable;

/** The state of a simulated machine cannot be read from its file, or not be kept there; the message is one sentence. */
public final class StateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
