// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.model.time.SystemClock;

/**
 * Everything a command uses that is not its arguments.
 *
 * @param host the machine and the user
 * @param output where it writes
 * @param clock its time
 * @param agent the agent's own work
 * @param prompt asks the user
 */
record Surroundings(HostView host, Output output, Clock clock, LocalAgent agent, Prompt prompt) {
    /** Nobody to ask. */
    Surroundings(HostView host, Output output, Clock clock, LocalAgent agent) {
        this(host, output, clock, agent, Prompt.NOBODY);
    }

    static Surroundings real() {
        return new Surroundings(
                HostView.real(), Output.real(), SystemClock.INSTANCE, LocalAgent.REAL, Prompt.terminal());
    }
}
