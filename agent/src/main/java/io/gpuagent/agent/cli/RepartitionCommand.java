// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One GPU is cut up anew. */
@Command(
        name = "repartition",
        header = "Cuts one GPU up anew, beside what runs on it.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent repartition 0 3g.71gb 2g.35gb 1g.18gb 1g.18gb",
            "  gpu-agent repartition 0 3g.71gb@4 1g.18gb 1g.18gb --yes",
            "",
            "The profiles are the whole set that the GPU is to have, in any order. What it",
            "has of them stays where it is; what is busy is never touched. MIG mode must be",
            "on: gpu-agent mig enable GPU.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 4 cannot be reached, 5 no agent",
            "answers, 6 not allowed."
        })
final class RepartitionCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(index = "0", paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "PROFILE",
            description = "3g.71gb, 3g, id:9; with @START at a place.")
    List<String> profiles = new ArrayList<>();

    @Option(
            names = "--include-reserved",
            description = "Let instances go that are reserved: named by a program, given to a container, used lately.")
    boolean includeReserved;

    @Mixin
    MigConsent consent = new MigConsent();

    RepartitionCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("gpu", new JsonText(MigNames.gpu(gpu)));
        members.put(
                "profiles",
                new JsonArray(profiles.stream().<JsonValue>map(JsonText::new).toList()));
        members.put("include_reserved", new JsonTruth(includeReserved));
        MigAgent agent = consent.agent(surroundings);
        return consent.carryOut(surroundings, agent, agent.post(MigAgent.PLANS, new JsonObject(members)));
    }
}
