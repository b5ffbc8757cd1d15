// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.unit.UnitStart;

/**
 * {@code gpu-agent mps unit-start}, which the unit {@code gpu-agent-mps@ID.service} runs behind each start of its daemon:
 * it sets the limit of memory, which a daemon does not take from its environment. The one command that is not parsed:
 * clients may come while it starts, and without the command line's library that takes half the processor time (measured).
 */
public final class MpsUnitStart {
    private MpsUnitStart() {}

    /**
     * Whether this is the command.
     *
     * @param arguments the command line
     * @return true for these two words and no others
     */
    public static boolean isAsked(String[] arguments) {
        return arguments.length == 2 && arguments[0].equals("mps") && arguments[1].equals("unit-start");
    }

    /**
     * Runs it in this process's environment. What went wrong goes to standard error, a sentence each.
     *
     * @return the exit code
     */
    public static int run() {
        try {
            UnitStart start = UnitStart.ofEnvironment(HostView.real(), SystemClock.INSTANCE, System.err::println);
            return start.run().inForce() ? 0 : AgentException.FAILED;
        } catch (MpsException e) {
            System.err.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return AgentException.FAILED;
    }
}
