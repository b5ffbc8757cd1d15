// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.config.AgentException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A foreign instance becomes ours. */
@Command(
        name = "adopt",
        header = "Takes instances that others made for gpu-agent's, so that plans may move them.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mig adopt 0 9      the GPU instance with the id 9 in gpu-agent mig list",
            "  gpu-agent mig adopt 0        all that others made",
            "",
            "Nothing is touched on the card. Exit codes: 0 done, 1 failed, 2 bad input, 5 no",
            "agent answers, 6 not allowed."
        })
final class MigAdoptCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "INSTANCE",
            description = "The id of the GPU instance; all that others made where none is named.")
    Optional<Integer> instance = Optional.empty();

    @Mixin
    MigConsent consent = new MigConsent();

    MigAdoptCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        if (instance.filter(id -> id < 0).isPresent()) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "INSTANCE: " + instance.get() + " is no id; gpu-agent mig list shows them");
        }
        return consent.act(
                surroundings,
                MigNames.gpu(gpu),
                "adopt",
                instance.<Map<String, JsonValue>>map(
                                id -> Map.of("gpu_instance_id", new JsonNumber(Integer.toString(id))))
                        .orElse(Map.of()),
                "");
    }
}
