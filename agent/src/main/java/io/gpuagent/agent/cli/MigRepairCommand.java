// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What was left half made is made whole. */
@Command(
        name = "repair",
        header = "Finishes what was cut off on a GPU, or completes half-made instances.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mig repair 0",
            "  gpu-agent mig repair 0 --remove",
            "",
            "A change that was cut off is brought to one of its ends. Otherwise each of",
            "gpu-agent's own instances without a compute instance gets a full one, or goes",
            "with --remove. --abandon lets a change be that can reach neither end, as it stands.",
            "Exit codes: 0 done, 1 failed, 2 bad input or nothing to repair, 5 no agent",
            "answers, 6 not allowed."
        })
final class MigRepairCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Option(names = "--remove", description = "Remove half-made instances.")
    boolean remove;

    @Option(names = "--abandon", description = "Let a change that was cut off be as it stands.")
    boolean abandon;

    @Mixin
    MigConsent consent = new MigConsent();

    MigRepairCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (remove && abandon) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "--remove and --abandon are two ways to repair; give one of them");
        }
        String how = remove ? "remove" : abandon ? "abandon" : "complete";
        String question = remove
                ? "Instances without compute instances go. Go on?"
                : abandon ? "The change that was cut off is forgotten, and what there is stays. Go on?" : "";
        return consent.act(surroundings, MigNames.gpu(gpu), "repair", Map.of("how", new JsonText(how)), question);
    }
}
