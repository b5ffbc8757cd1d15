// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/** Puts an object together, member by member; what is absent has no member. */
public final class JsonMembers {
    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    /**
     * Adds a member.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public JsonMembers put(String name, JsonValue value) {
        members.put(name, value);
        return this;
    }

    /**
     * Adds a string.
     *
     * @param name its name
     * @param text its value
     * @return this
     */
    public JsonMembers put(String name, String text) {
        return put(name, new JsonText(text));
    }

    /**
     * Adds a whole number.
     *
     * @param name its name
     * @param number its value
     * @return this
     */
    public JsonMembers put(String name, long number) {
        return put(name, new JsonNumber(Long.toString(number)));
    }

    /**
     * Adds true or false.
     *
     * @param name its name
     * @param truth its value
     * @return this
     */
    public JsonMembers put(String name, boolean truth) {
        return put(name, new JsonTruth(truth));
    }

    /**
     * Adds a time, as RFC 3339 in UTC.
     *
     * @param name its name
     * @param time its value
     * @return this
     */
    public JsonMembers put(String name, Instant time) {
        return put(name, DateTimeFormatter.ISO_INSTANT.format(time));
    }

    /**
     * Adds a list.
     *
     * @param name its name
     * @param items what is in it
     * @param item writes one of them
     * @param <T> what is in it
     * @return this
     */
    public <T> JsonMembers list(String name, List<T> items, Function<T, JsonValue> item) {
        return put(name, new JsonArray(items.stream().map(item).toList()));
    }

    /**
     * Adds a string that may be absent.
     *
     * @param name its name
     * @param text its value
     * @return this
     */
    public JsonMembers text(String name, Optional<String> text) {
        text.ifPresent(value -> put(name, value));
        return this;
    }

    /**
     * Adds a time that may be absent.
     *
     * @param name its name
     * @param time its value
     * @return this
     */
    public JsonMembers time(String name, Optional<Instant> time) {
        time.ifPresent(value -> put(name, value));
        return this;
    }

    /**
     * Adds a whole number that may be absent.
     *
     * @param name its name
     * @param number its value
     * @return this
     */
    public JsonMembers number(String name, OptionalLong number) {
        number.ifPresent(value -> put(name, value));
        return this;
    }

    /**
     * Adds a whole number that may be absent.
     *
     * @param name its name
     * @param number its value
     * @return this
     */
    public JsonMembers number(String name, OptionalInt number) {
        number.ifPresent(value -> put(name, value));
        return this;
    }

    /**
     * Adds a number that may be absent.
     *
     * @param name its name
     * @param number its value
     * @return this
     */
    public JsonMembers number(String name, OptionalDouble number) {
        number.ifPresent(value -> put(
                name,
                new JsonNumber(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString())));
        return this;
    }

    /**
     * The object.
     *
     * @return what was put together
     */
    public JsonObject object() {
        return new JsonObject(members);
    }
}
