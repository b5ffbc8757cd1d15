// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonNull;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes JSON for people: what fits on a line stands on one. */
public final class PrettyJson {
    private static final int WIDTH = 100;

    private PrettyJson() {}

    /**
     * The text of a value.
     *
     * @param value the value
     * @return JSON that ends with a line break
     */
    public static String write(JsonValue value) {
        return lines(value, "", 0) + "\n";
    }

    private static String lines(JsonValue value, String indent, int before) {
        String line = line(value);
        if (indent.length() + before + line.length() <= WIDTH) {
            return line;
        }
        String deeper = indent + "  ";
        return switch (value) {
            case JsonObject(var members)
            when !members.isEmpty() ->
                block(
                        "{",
                        members.entrySet().stream().map(member -> {
                            String name = quote(member.getKey()) + ": ";
                            return name + lines(member.getValue(), deeper, name.length() + 1);
                        }),
                        "}",
                        indent);
            case JsonArray(List<JsonValue> items)
            when !items.isEmpty() -> block("[", items.stream().map(item -> lines(item, deeper, 1)), "]", indent);
            default -> line;
        };
    }

    private static String block(String open, Stream<String> parts, String close, String indent) {
        return parts.map(part -> indent + "  " + part)
                .collect(Collectors.joining(",\n", open + "\n", "\n" + indent + close));
    }

    /**
     * The text of a value, on one line.
     *
     * @param value the value
     * @return JSON without a line break
     */
    public static String line(JsonValue value) {
        return switch (value) {
            case JsonObject(var members) ->
                members.entrySet().stream()
                        .map(member -> quote(member.getKey()) + ": " + line(member.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case JsonArray(List<JsonValue> items) ->
                items.stream().map(PrettyJson::line).collect(Collectors.joining(", ", "[", "]"));
            case JsonText(String string) -> quote(string);
            case JsonNumber(String literal) -> literal;
            case JsonTruth(boolean truth) -> String.valueOf(truth);
            case JsonNull() -> "null";
        };
    }

    private static String quote(String string) {
        return "\"" + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(string)) + "\"";
    }
}
