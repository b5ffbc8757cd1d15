// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.model.AgentFigures.Poll;
import io.gpuagent.model.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps how the tiers of a GPU went. */
final class TierPolls {
    private TierPolls() {}

    /**
     * How a tier went in one round.
     *
     * @param success whether anything was answered
     * @param seconds how long it took
     */
    record Result(boolean success, double seconds) {}

    /** What is told after a round: of tiers that were not read in it, what was told before. */
    static List<Poll> after(GpuWorker.View before, Map<Tier, Result> results, Instant now) {
        List<Poll> polls = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            Poll last = last(before, tier);
            Result result = results.get(tier);
            if (result != null) {
                Optional<Instant> success = last == null ? Optional.empty() : last.lastSuccess();
                polls.add(new Poll(
                        before.identity(), tier, result.success() ? Optional.of(now) : success, result.seconds()));
            } else if (last != null) {
                polls.add(last);
            }
        }
        return polls;
    }

    private static @Nullable Poll last(GpuWorker.View before, Tier tier) {
        for (Poll poll : before.polls()) {
            if (poll.tier() == tier) {
                return poll;
            }
        }
        return null;
    }
}
