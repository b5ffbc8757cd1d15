// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** One client ends. */
@Command(
        name = "terminate",
        header = "Destroys what one client of an MPS daemon has on the GPU.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps clients 0",
            "  gpu-agent mps terminate 0 4711 --dry-run",
            "",
            "The client fails with its next CUDA call and its process goes on until it ends",
            "by itself. Where it is busy, busy clients of the same server can fail with it;",
            "all of them are named first. Ending the process is gentler: try kill PID first.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MpsTerminateCommand implements Callable<Integer> {
    // The port gives it 60 s.
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final Pattern PID = Pattern.compile("[1-9][0-9]{0,9}");

    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "TARGET", description = "The daemon, or a device that it serves.")
    String target = "";

    @Parameters(index = "1", paramLabel = "PID", description = "The client, as gpu-agent mps clients lists it.")
    String pid = "";

    @Mixin
    MpsConsent consent = new MpsConsent();

    MpsTerminateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        String path = RunningAgent.daemon(MpsNames.target(target)) + "/terminate-client";
        if (!PID.matcher(pid).matches()) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "PID: " + Quoted.of(pid) + " is no process id; gpu-agent mps clients lists those of the clients");
        }
        return consent.make(surroundings, path, new JsonObject(Map.of("pid", new JsonNumber(pid))), DEADLINE);
    }
}
