// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.PciAddress;
import io.gpuagent.model.health.HealthEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is known of the node; what the fold goes on from.
 *
 * @param revision counts up with each change that is worth to be stored
 * @param boot the boot's id; empty before the agent has said that it started
 * @param sequence the latest record of the kernel's log that was taken, of this boot; -1 for none
 * @param nextProblem the id that the next problem gets
 * @param nextEvent the number that the next event gets
 * @param gpus the GPUs by key
 * @param keys which GPU sits where
 * @param problems what no GPU owns
 * @param events the latest events, the oldest first
 * @param sources how the sources do
 * @param driver the driver's version
 * @param mpsServers processes of MPS servers, with their daemon's id
 * @param streaks for how many looks in a row something has been so, by code
 */
public record NodeFacts(
        long revision,
        String boot,
        long sequence,
        long nextProblem,
        long nextEvent,
        Map<String, GpuFacts> gpus,
        Map<PciAddress, String> keys,
        Problems problems,
        List<HealthEvent> events,
        Map<String, SourceFacts> sources,
        Optional<String> driver,
        Map<Long, String> mpsServers,
        Map<String, Integer> streaks) {
    /** How many events are kept. */
    static final int MAX_EVENTS = 256;

    /** A node of which nothing is known. */
    public static final NodeFacts NOTHING = new NodeFacts(
            0,
            "",
            -1,
            1,
            1,
            Map.of(),
            Map.of(),
            Problems.NONE,
            List.of(),
            Map.of(),
            Optional.empty(),
            Map.of(),
            Map.of());
}
