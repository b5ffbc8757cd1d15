// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** MIG mode goes on. */
@Command(
        name = "enable",
        header = "Turns MIG mode of a GPU on.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Example:",
            "  gpu-agent mig enable 0",
            "",
            "The GPU must be idle. One attempt is made and nothing is reset; where the driver",
            "cannot switch now, the former mode is put back, unless --leave-pending.",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MigEnableCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Option(
            names = "--leave-pending",
            description = "Let the mode wait for a reset or reboot, where the driver cannot switch it now.")
    boolean leavePending;

    @Mixin
    MigConsent consent = new MigConsent();

    MigEnableCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        return consent.act(
                surroundings,
                MigNames.gpu(gpu),
                "enable",
                Map.of("leave_pending", new JsonTruth(leavePending)),
                "The driver may reset the GPU, and whoever uses it stands against that. Turn MIG mode on?");
    }
}
