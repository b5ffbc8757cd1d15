// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.Serial;

/** A value in a file or on the command line that cannot be understood. */
public final class BadValueException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String right;

    /**
     * A bad value.
     *
     * @param what what is wrong with it
     * @param right what would be right
     */
    public BadValueException(String what, String right) {
        super(what);
        this.right = right;
    }

    /**
     * What is wrong.
     *
     * @return a clause that names the value
     */
    public String what() {
        return String.valueOf(getMessage());
    }

    /**
     * What would be right.
     *
     * @return a clause
     */
    public String right() {
        return right;
    }
}
