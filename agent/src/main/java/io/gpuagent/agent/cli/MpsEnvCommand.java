// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import io.gpuagent.model.Share;
import io.gpuagent.mps.env.EnvironmentFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a program needs to become a client. */
@Command(
        name = "env",
        header = "Prints what a program needs to share a GPU through MPS.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  eval \"$(gpu-agent mps env 0)\" && python3 serve.py",
            "  gpu-agent mps env 0 --format systemd > mps.conf    a drop-in of the service",
            "  docker run $(gpu-agent mps env 0 --format docker) --gpus device=GPU-... IMAGE",
            "",
            "Limits given here are the program's own; they can only lower what the daemon",
            "allows. What else is to be known is said on standard error."
        })
final class MpsEnvCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", description = "The daemon, or a device that it serves.")
    String target = "";

    @Option(names = "--format", paramLabel = "FORMAT", description = "shell, systemd or docker; shell when not given.")
    String format = "shell";

    @Mixin
    MpsShareOptions limits = new MpsShareOptions();

    @Option(names = "--json", description = "Write JSON; docs/api/mps.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MpsEnvCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue document = new RunningAgent(surroundings, socket).demand(query());
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document));
            return 0;
        }
        output.text(document.text("text")
                .orElseThrow(() -> new AgentException(
                        AgentException.NO_ANSWER,
                        "the agent's answer is no environment; use the gpu-agent of its version")));
        output.out().flush();
        for (JsonValue note : document.items("notes").orElse(List.of())) {
            if (note instanceof JsonText(String sentence)) {
                output.sentence(Quoted.printable(sentence));
            }
        }
        return 0;
    }

    private String query() throws AgentException {
        StringBuilder query = new StringBuilder("/v1/mps/env?target=")
                .append(RunningAgent.encoded(MpsNames.target(target)))
                .append("&format=")
                .append(format().label());
        Share share = limits.share();
        share.threads().ifPresent(part -> query.append("&threads=").append(RunningAgent.encoded(part.toString())));
        share.memory().ifPresent(part -> query.append("&memory=").append(RunningAgent.encoded(part.toString())));
        share.priority().ifPresent(part -> query.append("&priority=").append(part.label()));
        return query.toString();
    }

    private EnvironmentFormat format() throws AgentException {
        try {
            return EnvironmentFormat.parse(format);
        } catch (IllegalArgumentException e) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "--format: " + Quoted.printable(String.valueOf(e.getMessage())), e);
        }
    }
}
