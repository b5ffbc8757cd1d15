// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with CUDA MPS. */
@Command(
        name = "mps",
        header = "Shares a GPU between programs: CUDA MPS daemons, limits and clients.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Ten services on one card:",
            "  gpu-agent mps start 0 --threads 25%% --memory 8GiB",
            "  gpu-agent mps env 0 --format systemd    what each service needs to share",
            "  gpu-agent mps list                      who is on which limits",
            "  gpu-agent mps set 0 --threads 10%%       for clients that come from now on",
            "",
            "A limit never changes a client that runs: it keeps what it came under until it",
            "ends. Limits are ceilings, not reservations, and guard against accidents, not",
            "against a hostile program; MIG does that.",
            "",
            "A TARGET is a GPU (index, UUID or its beginning, PCI bus id), a MIG UUID, or the",
            "id of a daemon."
        })
final class MpsCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
