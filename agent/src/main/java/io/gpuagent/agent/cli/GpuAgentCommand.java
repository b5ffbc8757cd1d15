// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command without a subcommand: it only helps. */
@Command(
        name = "gpu-agent",
        header = "Monitors the NVIDIA GPUs of this machine.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        versionProvider = VersionCommand.Provider.class,
        footer = {
            "",
            "Examples:",
            "  gpu-agent status                     what the GPUs are doing now",
            "  gpu-agent status --simulate h200x8   the same on eight simulated H200s",
            "  gpu-agent serve --simulate h200      an agent on a simulated GPU",
            "  gpu-agent metrics                    the page that Prometheus would get",
            "  gpu-agent repartition 0 3g.71gb 3g.71gb   cuts GPU 0 up beside what runs",
            "",
            "Exit codes:",
            "  0  done",
            "  1  failed",
            "  2  wrong usage or bad input",
            "  3  --exit-code found changes or a node that is not well",
            "  4  the wanted layout cannot be reached; nothing was touched",
            "  5  the agent does not answer",
            "  6  not allowed"
        })
final class GpuAgentCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and end.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and end.")
    boolean version;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
