// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What daemons there are. */
@Command(
        name = "list",
        header = "Shows MPS daemons, their limits, and who is on old ones.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps list",
            "  gpu-agent mps list 0 --json",
            "",
            "THREADS and MEMORY are what new clients get at most, MEMORY for each process; a",
            "dash is no limit. CLIENTS counts them and the places for their contexts; OLD",
            "counts those on limits that new ones no longer get. Below stand the reasons for",
            "what does not work: users that wait, programs past the daemon and why, GPUs",
            "whose compute mode waits for a daemon. Where no agent runs, its records and",
            "/proc are read once, and a line on standard error says so."
        })
final class MpsListCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", arity = "0..1", description = "Show this daemon only.")
    Optional<String> target = Optional.empty();

    @Option(names = "--json", description = "Write JSON; docs/api/mps.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MpsListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonObject document = MpsView.of(surroundings, socket, target);
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document));
        } else {
            output.text(new MpsTables(output.ellipsis()).daemons(document));
        }
        return 0;
    }
}
