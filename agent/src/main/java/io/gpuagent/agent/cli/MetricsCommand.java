// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.MetricsFormat;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The metrics page without a daemon. */
@Command(
        name = "metrics",
        header = "Reads the GPUs once and writes the metrics page; needs no running agent.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent metrics",
            "  gpu-agent metrics --simulate h200x8 | grep gpu_power",
            "",
            "Without a driver the page says so: gpu_agent_nvml_up is 0."
        })
final class MetricsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "native",
            description = "The names of the series; native (gpu_...) is the only one.")
    String format = "native";

    @Option(names = "--simulate", paramLabel = "PROFILE", description = "Read simulated GPUs, such as h200x8.")
    Optional<String> simulate = Optional.empty();

    MetricsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Arguments.parse("--format", format, MetricsFormat::parse);
        LocalAgent agent = surroundings.agent();
        String page;
        if (simulate.isPresent()) {
            page = agent.page(
                    agent.poll(AgentConfig.DEFAULT, new GpuSource.Simulated(simulate.get(), Optional.empty())));
        } else {
            AgentConfig config = new UsualConfig(surroundings).orDefault();
            page = agent.page(
                    agent.poll(config, new GpuSource.Driver(config.nvml().library())));
        }
        surroundings.output().utf8(page);
        return 0;
    }
}
