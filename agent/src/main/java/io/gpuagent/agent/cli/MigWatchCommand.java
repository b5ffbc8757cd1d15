// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Operations, or one of them to its end. */
@Command(
        name = "watch",
        header = "Follows an operation to its end, or lists the operations.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mig watch                those since the agent's start, newest first",
            "  gpu-agent mig watch op-5f0c3a9b    what it has done and does, to its end",
            "",
            "Exit codes: 0 done, 1 it did not end as wanted, 2 no such operation, 5 no agent",
            "answers."
        })
final class MigWatchCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "OPERATION", arity = "0..1", description = "The operation's id.")
    Optional<String> operation = Optional.empty();

    @Option(names = "--json", description = "Write JSON as it is now; docs/api/mig.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigWatchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        MigAgent agent = new MigAgent(surroundings, socket);
        Output output = surroundings.output();
        JsonValue document = agent.get(operation.map(MigAgent::operation).orElse(MigAgent.OPERATIONS));
        if (json) {
            output.utf8(PrettyJson.write(document));
            return 0;
        }
        if (operation.isPresent()) {
            return MigFollow.begun(surroundings, agent, document);
        }
        output.text(new MigTables(output.ellipsis()).operations(document));
        return 0;
    }
}
