// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One verdict per GPU, as a table or as JSON. */
@Command(
        name = "health",
        header = "Shows how the GPUs are, why, and what helps.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent health",
            "  gpu-agent health --exit-code || echo somebody should look",
            "  gpu-agent health --json | jq -r '.gpus[] | [.gpu, .state, .action] | @tsv'",
            "",
            "States: ok, warn, unknown, degraded, critical, unresponsive, lost. What nobody",
            "can tell is unknown and never ok. gpu-agent ack answers for an incident.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not everything is ok (with",
            "--exit-code), 5 no agent answers, 6 this user may not open the socket."
        })
final class HealthCommand implements Callable<Integer> {
    private static final int NOT_OK = 3;

    private final Surroundings surroundings;

    @Option(names = "--json", description = "Write JSON; docs/api/health.md describes it.")
    boolean json;

    @Option(names = "--exit-code", description = "Exit with 3 unless everything is ok.")
    boolean exitCode;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    HealthCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue health = new RunningAgent(surroundings, socket).demand("/v1/health");
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(health));
        } else {
            output.text(new HealthTable(output.ellipsis()).render(health));
        }
        boolean isOk = health.text("state").orElse("").equals("ok");
        return exitCode && !isOk ? NOT_OK : 0;
    }
}
