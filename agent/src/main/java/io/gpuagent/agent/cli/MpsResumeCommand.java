// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.config.AgentException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A daemon goes on. */
@Command(
        name = "resume",
        header = "Starts an MPS daemon again that was given up on, or calls a drain off.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps list",
            "  gpu-agent mps resume 0",
            "",
            "A daemon that died five times within ten minutes is in the state crashloop and is",
            "not started by itself any more; its log says why it died.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MpsResumeCommand implements Callable<Integer> {
    // The port gives it 90 s.
    private static final Duration DEADLINE = Duration.ofSeconds(150);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", description = "The daemon, or a device that it serves.")
    String target = "";

    @Mixin
    MpsConsent consent = new MpsConsent();

    MpsResumeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        return consent.make(
                surroundings,
                RunningAgent.daemon(MpsNames.target(target)) + "/resume",
                new JsonObject(Map.of()),
                DEADLINE);
    }
}
