// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A JSON value as it was read; members keep their order and numbers their spelling. */
public sealed interface JsonValue {
    /**
     * An object.
     *
     * @param members its members
     */
    record JsonObject(Map<String, JsonValue> members) implements JsonValue {
        /** Takes a copy that keeps the order. */
        public JsonObject {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /**
         * This object with another value for a member.
         *
         * @param name the member
         * @param value its new value
         * @return the changed object
         */
        public JsonObject with(String name, JsonValue value) {
            Map<String, JsonValue> changed = new LinkedHashMap<>(members);
            changed.put(name, value);
            return new JsonObject(changed);
        }
    }

    /**
     * An array.
     *
     * @param items its items
     */
    record JsonArray(List<JsonValue> items) implements JsonValue {
        /** Takes a copy. */
        public JsonArray {
            items = List.copyOf(items);
        }
    }

    /**
     * A string.
     *
     * @param string the string
     */
    record JsonText(String string) implements JsonValue {}

    /**
     * A number.
     *
     * @param literal as it is spelt
     */
    record JsonNumber(String literal) implements JsonValue {}

    /**
     * True or false.
     *
     * @param truth which
     */
    record JsonTruth(boolean truth) implements JsonValue {}

    /** Null. */
    record JsonNull() implements JsonValue {}

    /**
     * A member, of a member and so on.
     *
     * @param names the members' names
     * @return its value, empty where there is no such member
     */
    default Optional<JsonValue> at(String... names) {
        JsonValue value = this;
        for (String name : names) {
            if (!(value instanceof JsonObject object)) {
                return Optional.empty();
            }
            JsonValue member = object.members().get(name);
            if (member == null) {
                return Optional.empty();
            }
            value = member;
        }
        return Optional.of(value);
    }

    /**
     * The string of a member.
     *
     * @param names the members' names
     * @return the string, empty where there is none
     */
    default Optional<String> text(String... names) {
        return at(names)
                .flatMap(value -> value instanceof JsonText(String string) ? Optional.of(string) : Optional.empty());
    }

    /**
     * The number of a member.
     *
     * @param names the members' names
     * @return the number, empty where there is none
     */
    default Optional<Double> number(String... names) {
        return at(names)
                .flatMap(value -> value instanceof JsonNumber(String literal)
                        ? Optional.of(Double.parseDouble(literal))
                        : Optional.empty());
    }

    /**
     * The truth of a member.
     *
     * @param names the members' names
     * @return true or false, empty where it is neither
     */
    default Optional<Boolean> truth(String... names) {
        return at(names)
                .flatMap(value -> value instanceof JsonTruth(boolean truth) ? Optional.of(truth) : Optional.empty());
    }

    /**
     * The items of a member.
     *
     * @param names the members' names
     * @return the items, empty where it is no array
     */
    default Optional<List<JsonValue>> items(String... names) {
        return at(names)
                .flatMap(value ->
                        value instanceof JsonArray(List<JsonValue> items) ? Optional.of(items) : Optional.empty());
    }
}
