// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

/**
 * The log.
 *
 * @param level from which weight on lines are written
 */
public record LogConfig(Level level) {
    /** Informative lines and what weighs more. */
    public static final LogConfig DEFAULT = new LogConfig(Level.INFO);

    /** How much a line weighs. */
    public enum Level {
        /** What an operator must act upon. */
        ERROR,
        /** What may become an error. */
        WARN,
        /** What an operator wants to know of a normal day. */
        INFO,
        /** What helps to find a fault. */
        DEBUG
    }
}
