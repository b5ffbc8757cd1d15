// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.time.Duration;

/** What became of one command that was carried to a control daemon. */
public sealed interface Exchange {
    /**
     * The program came back. That proves nothing: see the text.
     *
     * @param output its standard output, at most {@link ControlTransport#MOST_OUTPUT} bytes of it
     * @param errors its standard error, bounded the same way
     * @param exitStatus its exit status: 1 where there is no daemon, 0 for almost everything else
     * @param cut whether it wrote more than that
     * @param took how long it ran
     */
    record Completed(String output, String errors, int exitStatus, boolean cut, Duration took) implements Exchange {}

    /**
     * The program did not come back and was killed. What it asked for may have been done or not.
     *
     * @param after the deadline
     */
    record TimedOut(Duration after) implements Exchange {}

    /**
     * The program could not be run at all.
     *
     * @param reason why, in a few words
     */
    record NotRun(String reason) implements Exchange {}
}
