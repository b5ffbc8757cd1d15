// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.AgentException;
import java.nio.file.Files;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A layout comes true. */
@Command(
        name = "apply",
        header = "Carries a layout file or a plan out, beside what runs.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent apply node.yaml             shows the plan and asks",
            "  gpu-agent apply plan-5f0c3a9b --yes   a plan that gpu-agent plan showed",
            "",
            "Busy, held and foreign instances stay as they are: their ids, UUIDs and",
            "processes. GPUs are changed one after the other; the first that fails is",
            "rolled back, those before it stand, those behind it are not begun. Ctrl-C ends",
            "the looking on alone: the agent finishes, see gpu-agent mig watch.",
            "",
            "Exit codes: 0 done, 1 failed, 2 bad input, 4 cannot be reached, 5 no agent",
            "answers, 6 not allowed."
        })
final class ApplyCommand implements Callable<Integer> {
    private static final Pattern PLAN = Pattern.compile("plan-[0-9a-f]{8}");

    private final Surroundings surroundings;

    @Parameters(paramLabel = "LAYOUT|PLAN_ID", description = "A layout file, or the id of a plan.")
    String what = "";

    @Mixin
    LayoutOptions options = new LayoutOptions();

    @Mixin
    MigConsent consent = new MigConsent();

    ApplyCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        MigAgent agent = consent.agent(surroundings);
        boolean isPlan = PLAN.matcher(what).matches() && !Files.exists(Arguments.asWritten("LAYOUT", what));
        if (isPlan && (options.config.isPresent() || options.mode || options.includeReserved)) {
            throw new AgentException(
                    AgentException.BAD_INPUT,
                    what + " is a plan, which was made with its options; give them to gpu-agent plan");
        }
        JsonValue plan = isPlan ? agent.get(MigAgent.PLANS + "/" + what) : options.plan(agent, what);
        return consent.carryOut(surroundings, agent, plan);
    }
}
