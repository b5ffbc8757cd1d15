// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** An operation is called off. */
@Command(
        name = "cancel",
        header = "Calls an operation off, between two of its steps.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Example:",
            "  gpu-agent mig cancel op-5f0c3a9b",
            "",
            "The step in hand is finished and what was done of the GPU is undone; GPUs that",
            "were done before stand. Exit codes: 0 it was told, 1 failed, 2 no such operation or",
            "it has ended, 5 no agent answers, 6 not allowed."
        })
final class MigCancelCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "OPERATION", description = "The operation's id.")
    String operation = "";

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigCancelCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        new MigAgent(surroundings, socket).delete(MigAgent.operation(operation));
        surroundings
                .output()
                .text(operation + " ends before its next step; gpu-agent mig watch " + operation + " shows how.\n");
        return 0;
    }
}
