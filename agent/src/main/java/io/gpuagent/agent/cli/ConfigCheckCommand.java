// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.ConfigFile;
import io.gpuagent.agent.config.DcgmCountersFile;
import io.gpuagent.agent.config.MetricsConfig;
import io.gpuagent.agent.config.WebConfigFile;
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
            "Each problem has a line FILE:LINE:COLUMN; the exit code is 2 when there is one.",
            "The files it names (metrics.web-config, metrics.dcgm-counters) are checked, too."
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
        MetricsConfig metrics = ConfigFile.read(checked).metrics();
        if (metrics.webConfig().isPresent()) {
            WebConfigFile.read(metrics.webConfig().get());
        }
        if (metrics.dcgm().counters().isPresent()) {
            Path counters = metrics.dcgm().counters().get();
            DcgmCountersFile.read(counters)
                    .warnings()
                    .forEach(warning -> surroundings.output().sentence(DcgmCountersFile.line(counters, warning)));
        }
        surroundings.output().text(checked + " is good.\n");
        return 0;
    }
}
