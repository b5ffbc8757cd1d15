// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/** Ends a simulated call with an {@code nvmlReturn_t}; it never leaves this package. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    Refusal(int code) {
        // No stack trace: a refusal is an everyday answer, and a caller may cause thousands a second.
        super(Code.text(code), null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
