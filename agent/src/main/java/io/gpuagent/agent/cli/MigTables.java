// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.config.Quoted;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tables about MIG, of at most 80 columns. */
final class MigTables {
    private static final String NONE = "-";

    private final boolean ellipsis;

    MigTables(boolean ellipsis) {
        this.ellipsis = ellipsis;
    }

    /** How a GPU is cut up. */
    String layout(JsonValue gpu) {
        StringBuilder text = new StringBuilder();
        List<JsonValue> instances = gpu.items("instances").orElse(List.of());
        boolean on = gpu.truth("enabled").orElse(false);
        boolean pending = gpu.truth("pending").orElse(on);
        String mode = "MIG " + word(on) + (pending == on ? "" : ", " + word(pending) + " after a reset or reboot");
        text.append(PlainTable.wrapped(
                name(gpu)
                        + gpu.text("model")
                                .map(model -> ", " + Quoted.printable(model))
                                .orElse("") + ": " + mode + (on ? ", " + count(instances.size(), "GPU instance") : ""),
                ""));
        gpu.text("unfinished")
                .ifPresent(sentence -> text.append(PlainTable.wrapped(
                        "A change was cut off: " + Quoted.printable(sentence) + "; see gpu-agent mig repair", "  ")));
        gpu.text("ownership").ifPresent(sentence -> text.append(PlainTable.wrapped(Quoted.printable(sentence), "  ")));
        if (on) {
            text.append('\n');
            gpu.text("text")
                    .orElse("")
                    .lines()
                    .forEach(line -> text.append(Quoted.printable(line)).append('\n'));
        }
        if (!instances.isEmpty()) {
            text.append(instances(instances));
        }
        return text.toString();
    }

    private String instances(List<JsonValue> instances) {
        PlainTable table = new PlainTable(
                ellipsis,
                PlainTable.Column.number("GI"),
                PlainTable.Column.text("PROFILE"),
                PlainTable.Column.text("AT"),
                PlainTable.Column.number("CI"),
                PlainTable.Column.cuttable("COMPUTE"),
                PlainTable.Column.text("UUID"));
        for (JsonValue instance : instances) {
            List<JsonValue> computes = instance.items("compute_instances").orElse(List.of());
            String id = number(instance, "gpu_instance_id");
            String profile = text(instance, "profile");
            String at = number(instance, "start") + "-" + last(instance);
            if (computes.isEmpty()) {
                table.row(id, profile, at, NONE, NONE, NONE);
            }
            for (JsonValue compute : computes) {
                table.row(
                        id,
                        profile,
                        at,
                        number(compute, "compute_instance_id"),
                        text(compute, "profile").equals(profile) ? "full" : text(compute, "profile"),
                        text(compute, "uuid"));
            }
        }
        return String.join("\n", table.lines()) + "\n";
    }

    private static String last(JsonValue instance) {
        double end =
                instance.number("start").orElse(0.0) + instance.number("size").orElse(1.0) - 1;
        return Long.toString(Math.round(end));
    }

    /** Who uses which instance. */
    String holders(JsonValue gpu) {
        StringBuilder text = new StringBuilder();
        for (JsonValue instance : gpu.items("instances").orElse(List.of())) {
            List<JsonValue> holders = instance.items("holders").orElse(List.of());
            text.append(PlainTable.wrapped(
                    "GPU instance " + number(instance, "gpu_instance_id") + " (" + text(instance, "profile") + " at "
                            + number(instance, "start") + ")" + (holders.isEmpty() ? ": nobody uses it" : ""),
                    ""));
            for (JsonValue holder : holders) {
                String where = holder.number("compute_instance_id")
                        .map(id -> " (compute instance " + Math.round(id) + ")")
                        .orElse("");
                text.append(PlainTable.wrapped(text(holder, "words") + where, "  "));
            }
        }
        return text.isEmpty() ? name(gpu) + " has no GPU instances.\n" : text.toString();
    }

    /** What was changed. */
    String history(JsonValue gpu) {
        List<JsonValue> changes = gpu.items("changes").orElse(List.of());
        StringBuilder text = new StringBuilder();
        for (JsonValue change : changes) {
            text.append(second(text(change, "at")))
                    .append('\n')
                    .append(PlainTable.wrapped("from " + pieces(change, "before"), "  "))
                    .append(PlainTable.wrapped("to " + pieces(change, "after"), "  "));
        }
        return text.isEmpty() ? "No change of " + name(gpu) + " is known.\n" : text.toString();
    }

    private static String second(String at) {
        int dot = at.indexOf('.');
        return dot < 0 ? at : at.substring(0, dot) + "Z";
    }

    private static String pieces(JsonValue change, String member) {
        String pieces = change.items(member).orElse(List.of()).stream()
                .map(piece -> piece instanceof JsonValue.JsonText(String string) ? Quoted.printable(string) : "?")
                .collect(Collectors.joining(", "));
        return pieces.isEmpty() ? "nothing" : pieces;
    }

    /** Operations, newest first. */
    String operations(JsonValue document) {
        List<JsonValue> operations = document.items("operations").orElse(List.of());
        if (operations.isEmpty()) {
            return "No operation since the agent's start.\n";
        }
        PlainTable table = new PlainTable(
                ellipsis,
                PlainTable.Column.text("OPERATION"),
                PlainTable.Column.text("KIND"),
                PlainTable.Column.text("GPUS"),
                PlainTable.Column.text("STATE"),
                PlainTable.Column.text("SINCE"),
                PlainTable.Column.cuttable("WHAT CAME OF IT"));
        for (JsonValue operation : operations) {
            String gpus = operation.items("gpus").orElse(List.of()).stream()
                    .map(gpu -> number(gpu, "gpu"))
                    .distinct()
                    .collect(Collectors.joining(","));
            table.row(
                    text(operation, "id"),
                    text(operation, "kind"),
                    gpus.isEmpty() ? NONE : gpus,
                    text(operation, "state"),
                    time(text(operation, "created_at")),
                    text(operation, "sentence"));
        }
        return String.join("\n", table.lines()) + "\n";
    }

    private static String time(String at) {
        return at.length() >= 19 ? at.substring(11, 19) : at;
    }

    private static String name(JsonValue gpu) {
        return "GPU " + number(gpu, "gpu");
    }

    private static String word(boolean on) {
        return on ? "on" : "off";
    }

    private static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private static String text(JsonValue object, String member) {
        return Optional.of(object)
                .flatMap(value -> value.text(member))
                .map(Quoted::printable)
                .orElse(NONE);
    }

    private static String number(JsonValue object, String member) {
        return object.number(member)
                .map(value -> Long.toString(Math.round(value)))
                .orElse(NONE);
    }
}
