// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Something the user must know ended a command: one sentence and the command's exit code. */
public class AgentException extends Exception {
    /** Exit code: it failed. */
    public static final int FAILED = 1;

    /** Exit code: wrong usage or bad input. */
    public static final int BAD_INPUT = 2;

    /** Exit code: the daemon does not answer. */
    public static final int NO_ANSWER = 5;

    /** Exit code: not allowed. */
    public static final int NOT_ALLOWED = 6;

    @Serial
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    /**
     * An end with a reason.
     *
     * @param exitCode the command's exit code
     * @param sentence one sentence, without a full stop, that says what is wrong and what helps
     */
    public AgentException(int exitCode, String sentence) {
        this(exitCode, sentence, null);
    }

    /**
     * An end that another exception caused.
     *
     * @param exitCode the command's exit code
     * @param sentence one sentence, without a full stop, that says what is wrong and what helps
     * @param cause what was thrown
     */
    public AgentException(int exitCode, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    /**
     * The command's exit code.
     *
     * @return 1 to 6
     */
    public int exitCode() {
        return exitCode;
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
