// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.config.AgentException;
import io.gpuagent.agent.config.Quoted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Shows a plan, asks, has it carried out, and follows that. */
final class MigConsent {
    private static final int MOST_NAMED = 3;

    @Option(names = "--yes", description = "Do not ask.")
    boolean yes;

    @Option(names = "--socket", paramLabel = "PATH", description = "Ask the agent at this socket, and no other.")
    Optional<String> socket = Optional.empty();

    MigAgent agent(Surroundings surroundings) throws AgentException {
        return new MigAgent(surroundings, socket);
    }

    /** Shows a plan and carries it out; the exit code. */
    int carryOut(Surroundings surroundings, MigAgent agent, JsonValue plan) throws AgentException {
        Output output = surroundings.output();
        output.text(text(plan));
        output.out().flush();
        switch (plan.text("state").orElse("")) {
            case "no_change" -> {
                return 0;
            }
            case "impossible" -> throw unreachable(plan);
            default -> {}
        }
        if (!yes && !agreed(surroundings, question(plan))) {
            output.sentence("nothing was touched; the plan is kept as "
                    + plan.text("id").orElse("") + " for an hour");
            return AgentException.FAILED;
        }
        JsonObject body =
                new JsonObject(Map.of("plan", new JsonText(plan.text("id").orElse(""))));
        output.text("\n");
        return MigFollow.begun(surroundings, agent, agent.post(MigAgent.OPERATIONS, body));
    }

    /** Has something done with one GPU, behind a question. */
    int act(Surroundings surroundings, String gpu, String action, Map<String, JsonValue> more, String question)
            throws AgentException {
        if (!question.isEmpty() && !yes && !agreed(surroundings, question)) {
            surroundings.output().sentence("nothing was touched");
            return AgentException.FAILED;
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("action", new JsonText(action));
        members.put("gpu", new JsonText(gpu));
        members.putAll(more);
        MigAgent agent = agent(surroundings);
        return MigFollow.begun(surroundings, agent, agent.post(MigAgent.OPERATIONS, new JsonObject(members)));
    }

    /** A plan as people read it; the agent has written it, so that both are of one version. */
    static String text(JsonValue plan) {
        StringBuilder text = new StringBuilder();
        plan.text("text")
                .orElse("")
                .lines()
                .forEach(line -> text.append(Quoted.printable(line)).append('\n'));
        return text.toString();
    }

    static AgentException unreachable(JsonValue plan) {
        List<String> gpus = new ArrayList<>();
        for (JsonValue gpu : plan.items("gpus").orElse(List.of())) {
            if (gpu.text("state").equals(Optional.of("impossible"))) {
                gpus.add("GPU " + Math.round(gpu.number("gpu").orElse(0.0)));
            }
        }
        return new AgentException(
                MigAgent.IMPOSSIBLE,
                "what is wanted of " + String.join(", ", gpus) + " cannot be reached; nothing was touched");
    }

    /** Names whom it disturbs, so that nobody agrees to that unseen. */
    private static String question(JsonValue plan) {
        List<String> disturbed = new ArrayList<>();
        for (JsonValue gpu : plan.items("gpus").orElse(List.of())) {
            for (JsonValue affected : gpu.items("affected").orElse(List.of())) {
                affected.text("sentence").map(Quoted::printable).ifPresent(disturbed::add);
            }
        }
        if (disturbed.isEmpty()) {
            return "Nobody uses what goes. Carry it out?";
        }
        String more = disturbed.size() > MOST_NAMED ? " and " + (disturbed.size() - MOST_NAMED) + " more" : "";
        return "It disturbs " + String.join(", ", disturbed.subList(0, Math.min(MOST_NAMED, disturbed.size()))) + more
                + ". Carry it out?";
    }

    private static boolean agreed(Surroundings surroundings, String question) throws AgentException {
        return surroundings
                .prompt()
                .confirm(question)
                .orElseThrow(
                        () -> new AgentException(
                                AgentException.BAD_INPUT,
                                "there is no terminal to ask at, so nothing was touched; add --yes to go on without a question"));
    }
}
