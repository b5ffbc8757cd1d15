// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of a JSON document, with its place in it, so that a mistake can be named.
 *
 * @param place how a message names it, such as {@code h200.json: answers.nvmlDeviceGetName}
 * @param members its members: {@link JsonTree}, {@link List}, {@link String}, {@link Long}, {@link Double} or
 *     {@link Boolean}
 */
record JsonTree(String place, Map<String, Object> members) {
    /**
     * Reads a document whose top is an object.
     *
     * @param name how messages name the document
     * @param in the document; closed here
     * @return its top
     * @throws IOException when it cannot be read or is not JSON
     */
    static JsonTree read(String name, InputStream in) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(in)) {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException(name + " does not start with an object");
            }
            return object(name + ": ", parser);
        }
    }

    private static JsonTree object(String place, JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            parser.nextToken();
            members.put(key, value(place + (place.endsWith(" ") ? "" : ".") + key, parser));
        }
        return new JsonTree(place, members);
    }

    private static Object value(String place, JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(place, parser);
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(place + "[" + items.size() + "]", parser));
                }
                yield items;
            }
            case VALUE_STRING -> parser.getText();
            // An unsigned 64-bit number keeps its bits.
            case VALUE_NUMBER_INT -> parser.getBigIntegerValue().longValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
            default -> throw new IOException(place + " is " + parser.currentToken() + ", which nothing here can be");
        };
    }

    /** The same object with one member put in, or another in its place. */
    JsonTree with(String key, Object value) {
        Map<String, Object> changed = new LinkedHashMap<>(members);
        changed.put(key, value);
        return new JsonTree(place, changed);
    }

    /** The same object, with members of another instead of its own, and those that it has not. */
    JsonTree overlaid(JsonTree over) {
        Map<String, Object> joined = new LinkedHashMap<>(members);
        joined.putAll(over.members);
        return new JsonTree(over.place, joined);
    }

    static List<Object> joined(List<?> first, List<?> second) {
        List<Object> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    boolean has(String key) {
        return members.containsKey(key);
    }

    JsonTree object(String key) {
        return as(JsonTree.class, key, "an object");
    }

    List<?> list(String key) {
        return as(List.class, key, "a list");
    }

    String text(String key) {
        return as(String.class, key, "a text");
    }

    long integer(String key) {
        return as(Long.class, key, "a whole number");
    }

    int smallInteger(String key) {
        return Math.toIntExact(integer(key));
    }

    double number(String key, double otherwise) {
        return has(key) ? as(Number.class, key, "a number").doubleValue() : otherwise;
    }

    boolean flag(String key, boolean otherwise) {
        return has(key) ? as(Boolean.class, key, "true or false") : otherwise;
    }

    private <T> T as(Class<T> type, String key, String what) {
        @Nullable Object value = members.get(key);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(place
                    + (place.endsWith(" ") ? "" : ".")
                    + key
                    + (value == null ? " is missing" : " is not " + what));
        }
        return type.cast(value);
    }
}
