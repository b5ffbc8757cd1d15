// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Who uses instances. */
@Command(
        name = "holders",
        header = "Shows who uses the instances of a GPU: processes, containers, MPS daemons.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Example:",
            "  gpu-agent mig holders 0",
            "",
            "Processes by NVML's lists, by capability nodes that they hold open and by the",
            "devices that their environments name; what cannot be seen is said. Exit codes:",
            "0 done, 1 failed, 2 bad input, 5 no agent answers."
        })
final class MigHoldersCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Option(names = "--json", description = "Write JSON; docs/api/mig.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigHoldersCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue document = new MigAgent(surroundings, socket).get(MigAgent.gpu(MigNames.gpu(gpu)) + "/holders");
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document));
        } else {
            output.text(new MigTables(output.ellipsis()).holders(document));
        }
        return 0;
    }
}
