// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.agent.cli.PlainTable.Column;
import io.gpuagent.agent.config.Quoted;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** MPS for people, read from the same JSON that the API gives. */
final class MpsTables {
    private static final String NONE = "-";
    private static final String INDENT = "  ";
    // Captured on an H200, driver 580.159.04: with a limit of 20 GiB, cudaMemGetInfo told 150109880320 in total and
    // 21287484400 free.
    private static final String TOTAL =
            "A limit of memory lowers what a program finds free; the total that it sees (cudaMemGetInfo) stays the whole"
                    + " device's.";
    private static final int CONTAINER_DIGITS = 12;
    private static final double GIB = 1L << 30;

    private final boolean ellipsis;

    MpsTables(boolean ellipsis) {
        this.ellipsis = ellipsis;
    }

    /** All daemons, with what somebody should know of each below it. */
    String daemons(JsonValue document) {
        List<JsonValue> daemons = items(document, "daemons");
        StringBuilder text = new StringBuilder();
        if (daemons.isEmpty()) {
            text.append("No MPS daemon is managed here; gpu-agent mps start starts one.\n");
        } else {
            PlainTable table = new PlainTable(
                    ellipsis,
                    Column.cuttable("DAEMON"),
                    Column.cuttable("GPU"),
                    Column.text("STATE"),
                    Column.number("THREADS"),
                    Column.number("MEMORY"),
                    Column.text("PRIORITY"),
                    Column.number("CLIENTS"),
                    Column.number("OLD"));
            daemons.forEach(daemon -> row(table, daemon));
            List<String> lines = table.lines();
            text.append(lines.getFirst()).append('\n');
            for (int i = 0; i < daemons.size(); i++) {
                text.append(lines.get(i + 1)).append('\n');
                remarks(daemons.get(i)).forEach(remark -> text.append(PlainTable.wrapped(remark, INDENT)));
            }
        }
        others(document).forEach(sentence -> text.append(PlainTable.wrapped(sentence, "")));
        if (daemons.stream()
                .anyMatch(daemon -> daemon.at("wanted", "memory_bytes").isPresent())) {
            text.append(PlainTable.wrapped(TOTAL, ""));
        }
        return text.toString();
    }

    private static void row(PlainTable table, JsonValue daemon) {
        table.row(
                text(daemon, "id"),
                items(daemon, "devices").stream().map(MpsTables::device).collect(Collectors.joining(",")),
                text(daemon, "state"),
                threads(daemon.at("wanted")),
                memory(daemon.at("wanted")),
                daemon.text("wanted", "priority").orElse("normal"),
                items(daemon, "clients").size() + "/" + whole(daemon, "client_slots"),
                whole(daemon, "clients_on_old_limits"));
    }

    private static String device(JsonValue device) {
        return device.number("gpu").map(MpsTables::plain).orElseGet(() -> text(device, "uuid"));
    }

    private static List<String> remarks(JsonValue daemon) {
        List<String> remarks = new ArrayList<>();
        daemon.text("detail").map(Quoted::printable).ifPresent(remarks::add);
        for (JsonValue reason : items(daemon, "reasons")) {
            String sentence = text(reason, "sentence");
            if (!remarks.contains(sentence)) {
                remarks.add(sentence);
            }
        }
        return remarks;
    }

    private static List<String> others(JsonValue document) {
        List<String> sentences = new ArrayList<>();
        for (JsonValue foreign : items(document, "foreign")) {
            sentences.add("Not managed here: control daemon " + whole(foreign, "pid")
                    + foreign.text("pipe")
                            .map(pipe -> " with the pipe directory " + Quoted.printable(pipe))
                            .orElse("")
                    + "; it is left alone.");
        }
        for (JsonValue bypass : items(document, "bypasses")) {
            sentences.add("Without limits: process " + whole(bypass, "pid")
                    + bypass.text("name")
                            .map(name -> " (" + Quoted.printable(name) + ")")
                            .orElse("")
                    + " computes on GPU "
                    + bypass.number("gpu").map(MpsTables::plain).orElse(text(bypass, "device"))
                    + " past its daemon"
                    + bypass.text("reason")
                            .map(reason -> ": " + Quoted.printable(reason))
                            .orElse("")
                    + ".");
        }
        items(document, "reasons").forEach(reason -> sentences.add(Quoted.printable(text(reason, "sentence"))));
        items(document, "limits")
                .forEach(limit -> limit.text().map(Quoted::printable).ifPresent(sentences::add));
        return sentences;
    }

    /** The clients of some daemons. */
    String clients(List<JsonValue> daemons) {
        PlainTable table = new PlainTable(
                ellipsis,
                Column.cuttable("DAEMON"),
                Column.number("PID"),
                Column.cuttable("NAME"),
                Column.cuttable("UNIT/CONTAINER"),
                Column.number("SMS"),
                Column.number("MEMORY"),
                Column.text("CAME UNDER"));
        int count = 0;
        for (JsonValue daemon : daemons) {
            for (JsonValue client : items(daemon, "clients")) {
                count++;
                table.row(
                        id(daemon),
                        whole(client, "pid"),
                        text(client, "name"),
                        owner(client),
                        whole(client, "multiprocessors"),
                        client.number("memory_bytes").map(MpsTables::gib).orElse(NONE),
                        came(client));
            }
        }
        StringBuilder text =
                new StringBuilder(count == 0 ? "No client is connected.\n" : String.join("\n", table.lines()) + "\n");
        for (JsonValue daemon : daemons) {
            remarks(daemon).forEach(remark -> text.append(PlainTable.wrapped(id(daemon) + ": " + remark, "")));
        }
        if (isLimited(daemons)) {
            text.append(PlainTable.wrapped(TOTAL, ""));
        }
        return text.toString();
    }

    private static boolean isLimited(List<JsonValue> daemons) {
        return daemons.stream()
                .flatMap(daemon -> items(daemon, "clients").stream())
                .anyMatch(client -> client.at("server_share", "memory_bytes").isPresent());
    }

    private static String id(JsonValue daemon) {
        return daemon.text("id")
                .or(() -> daemon.text("daemon"))
                .map(Quoted::printable)
                .orElse(NONE);
    }

    /** What a change would do, and to whom. */
    String effect(JsonValue document) {
        String daemon = text(document, "daemon");
        StringBuilder text = new StringBuilder(PlainTable.wrapped(
                daemon + ": "
                        + document.text("effect", "sentence")
                                .map(Quoted::printable)
                                .orElse(NONE),
                ""));
        String reach = document.text("effect", "reach").orElse("");
        text.append("Reaches: ")
                .append(
                        switch (reach) {
                            case "new_clients" -> "clients that connect from now on; no running client is changed.";
                            case "next_server" -> "clients of the next server; no running client is changed.";
                            case "drain" -> "all clients: the daemon ends.";
                            default -> Quoted.printable(reach) + ".";
                        })
                .append('\n');
        affected(text, document, "staying", "These stay on what they came under until they end:");
        affected(text, document, "breaking", "These end, or can end with it:");
        return text.toString();
    }

    private void affected(StringBuilder text, JsonValue document, String which, String title) {
        List<JsonValue> clients = document.items("effect", which).orElse(List.of());
        if (clients.isEmpty()) {
            return;
        }
        PlainTable table = new PlainTable(
                ellipsis,
                Column.number("PID"),
                Column.cuttable("NAME"),
                Column.cuttable("UNIT/CONTAINER"),
                Column.number("SMS"),
                Column.text("CAME UNDER"));
        for (JsonValue client : clients) {
            table.row(
                    whole(client, "pid"),
                    text(client, "name"),
                    owner(client),
                    whole(client, "multiprocessors"),
                    came(client));
        }
        text.append(title).append('\n').append(String.join("\n", table.lines())).append('\n');
    }

    private static String owner(JsonValue client) {
        return client.text("unit")
                .map(Quoted::printable)
                .or(() -> client.text("container")
                        .map(Quoted::printable)
                        .map(id -> id.substring(0, Math.min(CONTAINER_DIGITS, id.length()))))
                .orElse(NONE);
    }

    private static String came(JsonValue client) {
        if (client.at("server_share").isEmpty()) {
            return "unknown";
        }
        boolean old = client.truth("on_old_limits").orElse(false);
        return threads(client.at("server_share")) + " " + memory(client.at("server_share")) + (old ? " (old)" : "");
    }

    private static String threads(Optional<JsonValue> share) {
        return share.flatMap(part -> part.number("threads_percent"))
                        .map(MpsTables::plain)
                        .orElse("100") + "%";
    }

    private static String memory(Optional<JsonValue> share) {
        return share.flatMap(part -> part.number("memory_bytes"))
                .map(MpsTables::gib)
                .orElse(NONE);
    }

    private static String gib(double bytes) {
        return String.format(Locale.ROOT, "%.1fGiB", bytes / GIB).replace(".0GiB", "GiB");
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static String whole(JsonValue json, String member) {
        return json.number(member).map(MpsTables::plain).orElse(NONE);
    }

    private static String text(JsonValue json, String member) {
        return json.text(member).map(Quoted::printable).orElse(NONE);
    }

    private static List<JsonValue> items(JsonValue json, String member) {
        return json.items(member).orElse(List.of());
    }
}
