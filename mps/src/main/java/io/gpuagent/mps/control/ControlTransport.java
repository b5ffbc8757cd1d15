// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.time.Duration;

/** The way to one control daemon. Never throws for what a daemon or program does. */
public interface ControlTransport {
    /** How many bytes of an answer are read; no answer comes near. */
    int MOST_OUTPUT = 64 * 1024;

    /**
     * Sends one command. One only: of two on one standard input, only the last one's answer came back (captured).
     *
     * @param command the command without its end of line
     * @param deadline when to give up
     * @return what became of it
     */
    Exchange send(String command, Duration deadline);

    /**
     * Asks the client program, not the daemon, for its version ({@code -v}).
     *
     * @param deadline when to give up
     * @return what became of it
     */
    Exchange version(Duration deadline);
}
