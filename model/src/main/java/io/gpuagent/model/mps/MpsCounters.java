// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

/**
 * What has happened with one daemon since this agent has known it.
 *
 * @param restarts how often it was started again after it had died
 * @param serverStarts servers that became ready
 * @param serverFailures servers that ended with a status other than 0
 * @param faults fatal GPU faults
 * @param terminatedClients clients whose contexts were destroyed on request
 * @param commands control commands that were sent
 * @param commandTimeouts control commands that were given up
 */
public record MpsCounters(
        long restarts,
        long serverStarts,
        long serverFailures,
        long faults,
        long terminatedClients,
        long commands,
        long commandTimeouts) {
    /** Nothing yet. */
    public static final MpsCounters NONE = new MpsCounters(0, 0, 0, 0, 0, 0, 0);
}
