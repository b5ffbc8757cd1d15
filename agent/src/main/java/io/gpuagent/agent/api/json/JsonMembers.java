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
final class JsonMembers {
    private final Map<String, JsonValue> members = new LinkedHashMap<>();

    JsonMembers put(String name, JsonValue value) {
        members.put(name, value);
        return this;
    }

    JsonMembers put(String name, String text) {
        return put(name, new JsonText(text));
    }

    JsonMembers put(String name, long number) {
        return put(name, new JsonNumber(Long.toString(number)));
    }

    JsonMembers put(String name, boolean truth) {
        return put(name, new JsonTruth(truth));
    }

    JsonMembers put(String name, Instant time) {
        return put(name, DateTimeFormatter.ISO_INSTANT.format(time));
    }

    <T> JsonMembers list(String name, List<T> items, Function<T, JsonValue> item) {
        return put(name, new JsonArray(items.stream().map(item).toList()));
    }

    JsonMembers text(String name, Optional<String> text) {
        text.ifPresent(value -> put(name, value));
        return this;
    }

    JsonMembers time(String name, Optional<Instant> time) {
        time.ifPresent(value -> put(name, value));
        return this;
    }

    JsonMembers number(String name, OptionalLong number) {
        number.ifPresent(value -> put(name, value));
        return this;
    }

    JsonMembers number(String name, OptionalInt number) {
        number.ifPresent(value -> put(name, value));
        return this;
    }

    JsonMembers number(String name, OptionalDouble number) {
        number.ifPresent(value -> put(
                name,
                new JsonNumber(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString())));
        return this;
    }

    JsonObject object() {
        return new JsonObject(members);
    }
}
