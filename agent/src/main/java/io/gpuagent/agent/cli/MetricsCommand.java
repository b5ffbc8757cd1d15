// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.config.MetricsConfig;
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
            "  gpu-agent metrics --format dcgm",
            "",
            "Without a driver the page says so: gpu_agent_nvml_up is 0."
        })
final class MetricsCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "The names of the series: native (gpu_...) or dcgm (DCGM_FI_...).")
    Optional<String> format = Optional.empty();

    @Option(names = "--simulate", paramLabel = "PROFILE", description = "Read simulated GPUs, such as h200x8.")
    Optional<String> simulate = Optional.empty();

    MetricsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Optional<MetricsFormat> asked = format.isPresent()
                ? Optional.of(Arguments.parse("--format", format.get(), MetricsFormat::parse))
                : Optional.empty();
        LocalAgent agent = surroundings.agent();
        AgentConfig config = simulate.isPresent() ? AgentConfig.DEFAULT : new UsualConfig(surroundings).orDefault();
        GpuSource source = simulate.isPresent()
                ? new GpuSource.Simulated(simulate.get(), Optional.empty())
                : new GpuSource.Driver(config.nvml().library());
        MetricsConfig wanted = asked.map(config.metrics()::withFormat).orElse(config.metrics());
        surroundings.output().utf8(agent.page(agent.poll(config, source), wanted));
        return 0;
    }
}
