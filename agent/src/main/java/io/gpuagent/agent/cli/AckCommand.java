// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Somebody answers for an incident. */
@Command(
        name = "ack",
        header = "Answers for an incident, so that it no longer counts.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent ack 17 --why 'board is exchanged on Friday, ticket 4711'",
            "",
            "Who, when and why are kept with the incident. What the GPU itself goes on",
            "saying counts all the same, and a new fault opens a new incident.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or no such incident, 5 no agent",
            "answers, 6 not allowed."
        })
final class AckCommand implements Callable<Integer> {
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "INCIDENT", description = "Its number, as gpu-agent health shows it.")
    String incident = "";

    @Option(names = "--why", required = true, paramLabel = "TEXT", description = "The reason, for whoever comes next.")
    String why = "";

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    AckCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (!incident.matches("[0-9]{1,18}")) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "INCIDENT must be a number, such as 17; gpu-agent health shows them");
        }
        JsonValue answer = new RunningAgent(surroundings, socket)
                .change(
                        "/v1/incidents/" + incident + "/ack",
                        new JsonObject(Map.of("why", new JsonText(why))),
                        DEADLINE,
                        said -> {});
        boolean isOpen = answer.items("incidents")
                .flatMap(list -> list.stream().findFirst())
                .flatMap(one -> one.truth("open"))
                .orElse(true);
        surroundings
                .output()
                .text("incident " + incident + " is acknowledged"
                        + (isOpen ? "; it stays on the list until it is over\n" : " and over\n"));
        return 0;
    }
}
