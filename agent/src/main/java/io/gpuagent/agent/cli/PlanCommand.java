// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.PrettyJson;
import io.gpuagent.agent.config.AgentException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a layout would change. */
@Command(
        name = "plan",
        header = "Shows what a layout file would change, and touches nothing.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  gpu-agent plan node.yaml",
            "  gpu-agent plan node.yaml --exit-code      3 where there is something to do",
            "  gpu-agent plan parted.yaml --config all-balanced --mode",
            "",
            "A layout:",
            "  version: 1",
            "  gpus:",
            "    - match: {index: 0}      # or uuid, pci, model; others are left alone",
            "      mig:                   # the whole set of instances wanted",
            "        - 3g.71gb",
            "        - {profile: 1g.18gb, count: 2}",
            "",
            "Signs of the map: * busy, ~ held, r reserved, f foreign, k stays, - goes, + new.",
            "The plan is kept for an hour: gpu-agent apply PLAN_ID carries it out, and",
            "refuses where something has changed since. docs/layout.md has all keys.",
            "",
            "Exit codes: 0 done, 2 bad input, 3 changes (--exit-code), 4 cannot be reached,",
            "5 no agent answers."
        })
final class PlanCommand implements Callable<Integer> {
    private final Surroundings surroundings;

    @Parameters(paramLabel = "LAYOUT", description = "A layout file, gpu-agent's or mig-parted's.")
    String layout = "";

    @Mixin
    LayoutOptions options = new LayoutOptions();

    @Option(names = "--exit-code", description = "End with 3 where there is something to do.")
    boolean exitCode;

    @Option(names = "--json", description = "Write JSON; docs/api/mig.md describes it.")
    boolean json;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    PlanCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() throws AgentException {
        JsonValue plan = options.plan(new MigAgent(surroundings, socket), layout);
        Output output = surroundings.output();
        String state = plan.text("state").orElse("");
        if (json) {
            output.utf8(PrettyJson.write(plan));
        } else {
            output.text(MigConsent.text(plan));
            if (state.equals("change")) {
                output.text("\ngpu-agent apply " + plan.text("id").orElse("") + " carries this out.\n");
            }
        }
        if (state.equals("impossible")) {
            throw MigConsent.unreachable(plan);
        }
        return exitCode && state.equals("change") ? MigAgent.CHANGES : 0;
    }
}
