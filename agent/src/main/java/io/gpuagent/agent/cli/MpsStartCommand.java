// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.model.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A daemon begins. */
@Command(
        name = "start",
        header = "Starts an MPS daemon on a GPU, a MIG device or a group of GPUs.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent mps start 0 --threads 25%% --memory 8GiB",
            "  gpu-agent mps start MIG-5c3d... --threads 50%%",
            "  gpu-agent mps start 4 5 --name pair --threads 50%%",
            "",
            "Limits stand in the daemon's environment before it starts, so that no client",
            "can come before them. One that was stopped keeps what it had where nothing",
            "else is given. Programs join it by what gpu-agent mps env prints.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 5 no agent answers, 6 not allowed."
        })
final class MpsStartCommand implements Callable<Integer> {
    // The port gives a start 90 s.
    private static final Duration DEADLINE = Duration.ofSeconds(150);

    private final Surroundings surroundings;

    @Parameters(paramLabel = "TARGET", arity = "1..*", description = "A GPU or MIG device; several GPUs for a group.")
    List<String> targets = new ArrayList<>();

    @Option(names = "--name", paramLabel = "NAME", description = "The name of a group; it becomes the daemon's id.")
    Optional<String> name = Optional.empty();

    @Mixin
    MpsShareOptions limits = new MpsShareOptions();

    @Option(
            names = "--multi-user",
            negatable = true,
            description = "One server for all users, with no isolation between them.")
    Optional<Boolean> multiUser = Optional.empty();

    @Option(
            names = "--exclusive-process",
            negatable = true,
            description = "Set the GPUs to EXCLUSIVE_PROCESS while it runs, so that nobody goes past it.")
    Optional<Boolean> exclusiveProcess = Optional.empty();

    @Mixin
    MpsConsent consent = new MpsConsent();

    MpsStartCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        List<JsonValue> named = new ArrayList<>();
        for (String target : targets) {
            named.add(new JsonText(MpsNames.target(target)));
        }
        if (named.size() > 1 && name.isEmpty()) {
            throw new AgentException(
                    AgentException.BAD_INPUT, "a daemon for several GPUs is a group: give it a name with --name");
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("targets", new JsonArray(named));
        if (name.isPresent()) {
            members.put("name", new JsonText(MpsNames.id("--name", name.get())));
        }
        Share share = limits.share();
        members.put("share", MpsShareOptions.json(share));
        multiUser.ifPresent(wanted -> members.put("multi_user", new JsonTruth(wanted)));
        exclusiveProcess.ifPresent(wanted -> members.put("exclusive_process", new JsonTruth(wanted)));
        return consent.make(surroundings, RunningAgent.DAEMONS, new JsonObject(members), DEADLINE);
    }
}
