// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.agent.config.AgentException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The last change is taken back. */
@Command(
        name = "rollback",
        header = "Goes back to the layout before the last change of a GPU.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Example:",
            "  gpu-agent mig rollback 0",
            "",
            "It is a plan like any other: shown first, and what is busy stays. Exit codes: 0",
            "done, 1 failed, 2 bad input or nothing to take back, 4 cannot be reached, 5 no",
            "agent answers, 6 not allowed."
        })
final class MigRollbackCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "GPU", description = "An index, a UUID or its beginning, or a PCI bus id.")
    String gpu = "";

    @Option(
            names = "--include-reserved",
            description = "Let instances go that are reserved: named by a program, given to a container, used lately.")
    boolean includeReserved;

    @Mixin
    MigConsent consent = new MigConsent();

    MigRollbackCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("gpu", new JsonText(MigNames.gpu(gpu)));
        members.put("rollback", new JsonTruth(true));
        members.put("include_reserved", new JsonTruth(includeReserved));
        MigAgent agent = consent.agent(surroundings);
        return consent.carryOut(surroundings, agent, agent.post(MigAgent.PLANS, new JsonObject(members)));
    }
}
