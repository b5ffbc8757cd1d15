// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.unit.UnitStop;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * What the unit {@code gpu-agent-mps@ID.service} runs to stop its daemon: it lets clients finish and returns when all has
 * gone. Hidden, because a person stops a daemon by {@code mps stop}; it works in that unit's environment only, and without
 * an agent.
 */
@Command(
        name = "unit-stop",
        hidden = true,
        header = "Stops the MPS daemon of a unit gpu-agent-mps@ID.service; only that unit runs it.",
        optionListHeading = "%nOptions:%n",
        footer = {"", "To stop a daemon by hand: gpu-agent mps stop TARGET"})
final class MpsUnitStopCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    MpsUnitStopCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException, InterruptedException {
        try {
            UnitStop stop = UnitStop.ofEnvironment(
                    surroundings.host(),
                    surroundings.clock(),
                    line -> surroundings.output().err().println(line));
            return stop.run(UnitStop.mainProcess(surroundings.host()), UnitStop.DRAIN)
                            .gone()
                    ? 0
                    : AgentException.FAILED;
        } catch (MpsException e) {
            throw new AgentException(AgentException.FAILED, String.valueOf(e.getMessage()), e);
        }
    }
}
