// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How GPUs are cut up. */
@Command(
        name = "list",
        header = "Shows the instances of GPUs, with a map and UUIDs.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mig list",
            "  gpu-agent mig list 0 --json",
            "",
            "AT is the first memory slice and the last. The UUID goes into",
            "CUDA_VISIBLE_DEVICES or --gpus. Exit codes: 0 done, 1 failed, 2 bad input, 5 no",
            "agent answers."
        })
final class MigListCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", arity = "0..1", description = "Show this GPU only.")
    Optional<String> gpu = Optional.empty();

    @Option(names = "--json", description = "Write JSON; docs/api/mig.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue document = new MigAgent(surroundings, socket)
                .get(gpu.isPresent() ? MigAgent.gpu(MigNames.gpu(gpu.get())) : MigAgent.MIG);
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document));
            return 0;
        }
        List<JsonValue> gpus =
                gpu.isPresent() ? List.of(document) : document.items("gpus").orElse(List.of());
        if (gpus.isEmpty()) {
            output.sentence("no GPU of this node can be cut up by MIG");
        }
        MigTables tables = new MigTables(output.ellipsis());
        output.text(String.join("\n", gpus.stream().map(tables::layout).toList()));
        return 0;
    }
}
