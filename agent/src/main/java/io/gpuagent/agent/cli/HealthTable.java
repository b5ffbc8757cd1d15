// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.cli.PlainTable.Column;
import io.gpuagent.model.UserText;
import java.util.List;

/** Verdicts for people: a line for each GPU, and under it what is the matter and when it ends. */
final class HealthTable {
    private static final String INDENT = "    ";

    private final boolean ellipsis;

    HealthTable(boolean ellipsis) {
        this.ellipsis = ellipsis;
    }

    String render(JsonValue health) {
        StringBuilder text = new StringBuilder();
        text.append("node: ")
                .append(word(health, "state"))
                .append(action(health))
                .append('\n');
        reasons(health, text);
        text.append('\n');
        List<JsonValue> gpus = health.items("gpus").orElse(List.of());
        PlainTable table = new PlainTable(
                ellipsis,
                Column.number("GPU"),
                Column.text("STATE"),
                Column.text("ACTION"),
                Column.number("XIDS"),
                Column.cuttable("UUID"));
        for (JsonValue gpu : gpus) {
            table.row(
                    gpu.number("gpu")
                            .map(index -> Integer.toString(index.intValue()))
                            .orElse("-"),
                    word(gpu, "state"),
                    word(gpu, "action"),
                    xids(gpu),
                    word(gpu, "uuid"));
        }
        List<String> lines = table.lines();
        text.append(lines.getFirst()).append('\n');
        for (int i = 0; i < gpus.size(); i++) {
            text.append(lines.get(i + 1)).append('\n');
            reasons(gpus.get(i), text);
        }
        sources(health, text);
        return text.toString();
    }

    private static String word(JsonValue value, String member) {
        return UserText.shortened(value.text(member).orElse("-"));
    }

    private static String action(JsonValue value) {
        String action = word(value, "action");
        return action.equals("none") ? "" : ", what helps: " + action;
    }

    private static String xids(JsonValue gpu) {
        double count = gpu.items("xids").orElse(List.of()).stream()
                .mapToDouble(xid -> xid.number("count").orElse(0.0))
                .sum();
        return Long.toString((long) count);
    }

    private static void reasons(JsonValue of, StringBuilder text) {
        for (JsonValue reason : of.items("reasons").orElse(List.of())) {
            String incident =
                    reason.text("incident").map(id -> " [incident " + id + "]").orElse("");
            String known = reason.text("acknowledged", "who")
                    .map(who -> "; " + who + " answers for it: "
                            + reason.text("acknowledged", "why").orElse(""))
                    .orElse("");
            String sentence =
                    word(reason, "state") + ": " + reason.text("sentence").orElse("") + incident + known
                            + "; ends when " + reason.text("clears_when").orElse("");
            text.append(PlainTable.wrapped(UserText.printable(sentence), INDENT));
        }
    }

    private static void sources(JsonValue health, StringBuilder text) {
        for (JsonValue source : health.items("sources").orElse(List.of())) {
            source.text("detail")
                    .ifPresent(detail -> text.append('\n')
                            .append(PlainTable.wrapped(
                                    UserText.printable(
                                            word(source, "name") + " is " + word(source, "state") + ": " + detail),
                                    "")));
        }
    }
}
