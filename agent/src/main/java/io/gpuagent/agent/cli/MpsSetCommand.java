// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.model.Share;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Limits change. */
@Command(
        name = "set",
        header = "Changes the limits of an MPS daemon, for clients that come from now on.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps set 0 --threads 25%% --memory 8GiB",
            "  gpu-agent mps set 0 --threads 10%% --dry-run",
            "",
            "No command of the driver changes a client that runs. Those that stay on old",
            "limits are listed first, and gpu_mps_clients_on_old_limits counts them. What",
            "is in force afterwards is read back; where that fails, the former limits are",
            "put back. A part that is not given stays as it is.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MpsSetCommand implements Callable<Integer> {
    private static final Duration DEADLINE = Duration.ofSeconds(150);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", description = "The daemon, or a device that it serves.")
    String target = "";

    @Mixin
    MpsShareOptions limits = new MpsShareOptions();

    @Mixin
    MpsConsent consent = new MpsConsent();

    MpsSetCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Share share = limits.share();
        if (share.equals(Share.UNLIMITED)) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "nothing is to be set; give --threads, --memory or --priority");
        }
        return consent.make(
                surroundings,
                RunningAgent.daemon(MpsNames.target(target)) + "/set",
                new JsonObject(Map.of("share", MpsShareOptions.json(share))),
                DEADLINE);
    }
}
