// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

/**
 * What the client program prints and returns.
 *
 * @param text standard output
 * @param exitStatus exit status
 */
public record Reply(String text, int exitStatus) {
    /** There is no daemon. */
    public static final Reply NO_DAEMON = new Reply("Cannot find MPS control daemon process\n", 1);

    /** The daemon waits for its clients and takes no command; the exit status was not captured. */
    static final Reply ENDING = new Reply("Cannot send command to MPS control daemon process\n", 1);

    static Reply line(String line) {
        return new Reply(line + "\n", 0);
    }

    static Reply nothing() {
        return new Reply("", 0);
    }
}
