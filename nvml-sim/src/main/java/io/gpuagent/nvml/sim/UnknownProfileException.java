// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** A profile of simulated GPUs that does not exist or cannot be read; the message is one sentence for its reader. */
public final class UnknownProfileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Says what is wrong.
     *
     * @param message one sentence
     */
    public UnknownProfileException(String message) {
        super(message);
    }
}
