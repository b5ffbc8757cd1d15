// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.time.Duration;

/**
 * How long and how often.
 *
 * @param open to initialise NVML and find the GPU
 * @param read to read all of a GPU
 * @param change to make one step
 * @param mode to change the MIG mode, which may reset the GPU
 * @param destroyAttempts how often an instance is destroyed that is in use, the first time included
 * @param createAttempts how often one is made while the GPU is in use; nobody who holds a GPU lets go in a second
 * @param firstPause between the first and the second attempt; twice as long between the next
 * @param longestPause between two attempts at the most
 */
public record Limits(
        Duration open,
        Duration read,
        Duration change,
        Duration mode,
        int destroyAttempts,
        int createAttempts,
        Duration firstPause,
        Duration longestPause) {
    /** IN_USE passes within seconds where it passes at all; users of NVIDIA's DRA driver saw it once in 40 changes. */
    public static final Limits STANDARD = new Limits(
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofMinutes(3),
            10,
            3,
            Duration.ofMillis(200),
            Duration.ofSeconds(2));

    Duration pauseAfter(int attempt) {
        Duration pause = firstPause;
        for (int i = 1; i < attempt && pause.compareTo(longestPause) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(longestPause) < 0 ? pause : longestPause;
    }
}
