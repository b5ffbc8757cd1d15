// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.health.HealthViews;
import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import java.time.Instant;
import java.util.List;

/** A node of which nobody has seen anything. */
record NoVerdicts() implements HealthViews {
    @Override
    public NodeHealth view() {
        return new NodeHealth(
                Instant.EPOCH,
                HealthState.UNKNOWN,
                HealthAction.NONE,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                "none");
    }

    @Override
    public long revision() {
        return 0;
    }
}
