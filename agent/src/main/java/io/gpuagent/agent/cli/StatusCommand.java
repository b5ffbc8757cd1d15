// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.api.json.JsonShapeException;
import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.NodeStatus;
import io.gpuagent.agent.api.json.NodeStatus.GpuStatus;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.ReadingKeys;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the GPUs are doing, as a table or as JSON. */
@Command(
        name = "status",
        header = "Shows what the GPUs of this machine are doing.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent status",
            "  gpu-agent status 0 3b:00.0 GPU-5c3d",
            "  gpu-agent status --json | jq '.gpus[].readings[\"power.instant\"].value'",
            "  gpu-agent status --simulate h200x8",
            "",
            "A running agent is asked over its socket. Where none runs, the GPUs are read",
            "once, and a line on standard error says so. A dash in the table is a value",
            "that the driver does not give; --json tells why.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 5 the agent at the given socket",
            "does not answer, 6 this user may not open the socket."
        })
final class StatusCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(
            paramLabel = "GPU",
            arity = "0..*",
            description = "Show these GPUs only: an index, a UUID or its beginning, or a PCI bus id.")
    List<String> gpus = new ArrayList<>();

    @Option(names = "--json", description = "Write JSON; docs/api/status.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    @Option(names = "--simulate", paramLabel = "PROFILE", description = "Read simulated GPUs once, such as h200x8.")
    Optional<String> simulate = Optional.empty();

    StatusCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        List<GpuName> names = new ArrayList<>();
        for (String gpu : gpus) {
            names.add(Arguments.parse("GPU", gpu, GpuName::parse));
        }
        JsonValue document = document();
        NodeStatus node = understand(document);
        List<GpuStatus> shown = shown(node, names);
        Output output = surroundings.output();
        if (json) {
            output.utf8(PrettyJson.write(with(document, shown)));
        } else {
            output.text(new StatusTable(output.colours(), output.ellipsis()).render(node, shown));
        }
        return 0;
    }

    private JsonValue document() throws AgentException {
        StatusOrigin origin = new StatusOrigin(surroundings);
        if (socket.isPresent() && simulate.isPresent()) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    "--socket asks an agent and --simulate reads without one; give one of them");
        }
        if (socket.isPresent()) {
            return origin.of(Arguments.socket(socket.get()));
        }
        return simulate.isPresent()
                ? origin.simulated(simulate.get())
                : origin.usual(new UsualConfig(surroundings).orDefault());
    }

    private static NodeStatus understand(JsonValue document) throws AgentException {
        try {
            return NodeStatus.of(document);
        } catch (JsonShapeException e) {
            throw new AgentException(
                    AgentException.NO_ANSWER,
                    "the agent's answer is no status: " + e.getMessage() + "; use the gpu-agent command of its version",
                    e);
        }
    }

    private static List<GpuStatus> shown(NodeStatus node, List<GpuName> names) throws AgentException {
        if (names.isEmpty() || node.driver() instanceof DriverState.Down) {
            return node.gpus();
        }
        Set<GpuStatus> chosen = new LinkedHashSet<>();
        for (GpuName name : names) {
            chosen.add(Arguments.parse(
                    "GPU", "", _ -> name.resolve(node.gpus(), StatusCommand::identity, StatusCommand::pci)));
        }
        return chosen.stream().sorted(Comparator.comparingInt(GpuStatus::index)).toList();
    }

    private static GpuIdentity identity(GpuStatus gpu) {
        return new GpuIdentity(gpu.index(), gpu.uuid());
    }

    private static Optional<PciAddress> pci(GpuStatus gpu) {
        return gpu.value(ReadingKeys.PCI.name()).flatMap(JsonValue::text).flatMap(GpuName::pciAddress);
    }

    private static JsonValue with(JsonValue document, List<GpuStatus> gpus) {
        return document instanceof JsonObject object
                ? object.with(
                        "gpus", new JsonArray(gpus.stream().map(GpuStatus::json).toList()))
                : document;
    }
}
