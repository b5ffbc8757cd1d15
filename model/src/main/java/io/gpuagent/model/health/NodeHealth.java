// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.time.Instant;
import java.util.List;

/**
 * How the node is: its GPUs, what no GPU owns, and the sources that say so.
 *
 * @param takenAt when this was put together
 * @param state the worst of all
 * @param action the strongest of all
 * @param gpus a verdict for each GPU, by bus id
 * @param reasons what no GPU owns, the worst first
 * @param sources how the sources do
 * @param incidents the open ones and the latest of the others, the newest first
 * @param catalogue version of the table of Xids
 */
public record NodeHealth(
        Instant takenAt,
        HealthState state,
        HealthAction action,
        List<Verdict> gpus,
        List<HealthReason> reasons,
        List<SourceStatus> sources,
        List<Incident> incidents,
        String catalogue) {
    /** Takes copies of the lists. */
    public NodeHealth {
        gpus = List.copyOf(gpus);
        reasons = List.copyOf(reasons);
        sources = List.copyOf(sources);
        incidents = List.copyOf(incidents);
    }
}
