// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

/** Sees every command that was sent, for counters and logs. */
@FunctionalInterface
public interface CommandObserver {
    /** Looks away. */
    CommandObserver NONE = (command, exchange, nanos) -> {};

    /**
     * A command came back or was given up.
     *
     * @param command what was sent; {@code -v} for the program's version
     * @param exchange what became of it
     * @param nanos how long it took
     */
    void finished(String command, Exchange exchange, long nanos);
}
