// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.health;

import io.gpuagent.model.health.NodeHealth;

/** The newest verdicts, for whoever shows them; never waits. */
public interface HealthViews {
    /**
     * How the node is now.
     *
     * @return verdicts, incidents and sources
     */
    NodeHealth view();

    /**
     * Counts up whenever something has changed that is worth showing at once.
     *
     * @return the revision
     */
    long revision();
}
