// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the agent tells of its own polling.
 *
 * @param version the agent's version
 * @param simulated whether the GPUs are simulated
 * @param intervals how often the tiers are read
 * @param calls how many NVML calls ended how
 * @param inFlight calls that have not returned at the time of the snapshot
 * @param polls how the tiers of each GPU went
 */
public record AgentFigures(
        String version,
        boolean simulated,
        PollIntervals intervals,
        List<CallCount> calls,
        List<InFlight> inFlight,
        List<Poll> polls) {
    /** Takes copies of the lists. */
    public AgentFigures {
        calls = List.copyOf(calls);
        inFlight = List.copyOf(inFlight);
        polls = List.copyOf(polls);
    }

    /**
     * Calls of one function with one result since the agent started.
     *
     * @param function the C function's name
     * @param result the return code's name, {@code NVML_SUCCESS} and so on
     * @param count how many
     */
    public record CallCount(String function, String result, long count) {}

    /**
     * A call that has not returned yet.
     *
     * @param thread {@code driver} or the GPU's index
     * @param function the C function's name
     * @param seconds how long it has been running
     */
    public record InFlight(String thread, String function, double seconds) {}

    /**
     * The polling of one tier of one GPU.
     *
     * @param gpu the GPU
     * @param tier the tier
     * @param lastSuccess end of the last round in which the GPU answered
     * @param lastSeconds how long the last round took
     */
    public record Poll(GpuIdentity gpu, Tier tier, Optional<Instant> lastSuccess, double lastSeconds) {}
}
