// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a described GPU answers to a function, always the same.
 *
 * @param content the answer
 * @param micros how long the real call took, in microseconds
 */
record CannedAnswer(Content content, double micros) {
    /** The kinds of answers. */
    sealed interface Content {}

    /** A refusal with an {@code nvmlReturn_t}. */
    record Refused(int code) implements Content {}

    /** One number or text per output parameter. */
    record Values(List<?> values) implements Content {}

    /** An array of numbers, under the rule that a caller first asks how many there are. */
    record Items(List<Long> items) implements Content {}

    /** Fields of the struct that the last output parameter points to. */
    record Fields(Map<String, Object> fields) implements Content {}

    /** An answer for each value of the integer parameters, joined by commas; and one for all other values. */
    record Cases(Map<String, CannedAnswer> cases, CannedAnswer otherwise) implements Content {}

    static CannedAnswer parse(JsonTree tree) {
        return new CannedAnswer(content(tree), tree.number("micros", 0));
    }

    private static Content content(JsonTree tree) {
        if (tree.has("error")) {
            return new Refused(tree.smallInteger("error"));
        }
        if (tree.has("value")) {
            return new Values(List.of(scalar(tree, tree.members().get("value"))));
        }
        if (tree.has("values")) {
            return new Values(tree.list("values").stream()
                    .map(value -> scalar(tree, value))
                    .toList());
        }
        if (tree.has("list")) {
            return new Items(List.copyOf(tree.integers("list")));
        }
        if (tree.has("struct")) {
            return new Fields(tree.object("struct").members());
        }
        if (tree.has("cases")) {
            Map<String, CannedAnswer> cases = new LinkedHashMap<>();
            JsonTree listed = tree.object("cases");
            for (String inputs : listed.members().keySet()) {
                cases.put(inputs, parse(listed.object(inputs)));
            }
            return new Cases(cases, parse(tree.object("otherwise")));
        }
        throw new IllegalArgumentException(tree.place() + " has none of value, values, list, struct, cases and error");
    }

    private static Object scalar(JsonTree tree, @Nullable Object value) {
        if (value instanceof Long || value instanceof String) {
            return value;
        }
        throw new IllegalArgumentException(tree.place() + " holds something that is neither number nor text");
    }
}
