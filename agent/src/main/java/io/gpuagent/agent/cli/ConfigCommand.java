// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What can be done with a configuration file. */
@Command(
        name = "config",
        header = "Checks configuration files.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n")
final class ConfigCommand implements Runnable {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
