// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The layout that is. */
@Command(
        name = "export",
        header = "Writes the present MIG layout of this node as a layout file.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent export > node.yaml",
            "  gpu-agent plan node.yaml        nothing to do, until something changes",
            "",
            "GPUs are named by UUID and instances by their places. Cards that cannot do MIG",
            "are left out, and a comment says so.",
            "",
            "Exit codes: 0 done, 1 failed, 5 no agent answers."
        })
final class ExportCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    ExportCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        String layout = new MigAgent(surroundings, socket)
                .get(MigAgent.LAYOUT)
                .text("layout")
                .orElseThrow(() -> new AgentException(
                        AgentException.NO_ANSWER, "the agent's answer is no layout; use the gpu-agent of its version"));
        surroundings.output().utf8(layout);
        return 0;
    }
}
