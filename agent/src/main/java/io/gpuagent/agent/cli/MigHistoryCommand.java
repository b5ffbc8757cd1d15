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

/** What was changed. */
@Command(
        name = "history",
        header = "Shows the changes of a GPU that were carried out, newest first.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Example:",
            "  gpu-agent mig history 0",
            "",
            "gpu-agent mig rollback goes back behind the newest one. Exit codes: 0 done, 1",
            "failed, 2 bad input, 5 no agent answers."
        })
final class MigHistoryCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Option(names = "--json", description = "Write JSON; docs/api/mig.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigHistoryCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue document = new MigAgent(surroundings, socket).get(MigAgent.gpu(MigNames.gpu(gpu)) + "/history");
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(document));
        } else {
            output.text(new MigTables(output.ellipsis()).history(document));
        }
        return 0;
    }
}
