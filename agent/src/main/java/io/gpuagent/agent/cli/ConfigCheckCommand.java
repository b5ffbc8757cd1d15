// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads a configuration file as the agent would and tells everything that is wrong with it. */
@Command(
        name = "check",
        header = "Tells everything that is wrong with a configuration file.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent config check",
            "  gpu-agent config check new.yaml && cp new.yaml /etc/gpu-agent/config.yaml",
            "",
            "Each problem has a line FILE:LINE:COLUMN; the exit code is 2 when there is one."
        })
final class ConfigCheckCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            description = "The file; /etc/gpu-agent/config.yaml when none is named.")
    Optional<String> file = Optional.empty();

    ConfigCheckCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Path usual = ConfigFile.usual(surroundings.host());
        if (file.isEmpty() && Files.notExists(usual)) {
            surroundings.output().text("There is no " + usual + ": the defaults hold.\n");
            return 0;
        }
        Path checked = file.isPresent() ? Arguments.asWritten("FILE", file.get()) : usual;
        ConfigFile.read(checked);
        surroundings.output().text(checked + " is good.\n");
        return 0;
    }
}
