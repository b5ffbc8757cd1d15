// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
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
     * @throws IOException when it cannot be read or is not JSON; the message is one line
     */
    static JsonTree read(String name, InputStream in) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(in)) {
            parser.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException(name + " does not start with an object");
            }
            JsonTree top = object(name + ": ", parser);
            if (parser.nextToken() != null) {
                throw new IOException(name + " goes on after its object");
            }
            return top;
        } catch (JsonProcessingException e) {
            String problem = String.join(" ", e.getOriginalMessage().lines().toList());
            @Nullable JsonLocation at = e.getLocation();
            throw new IOException(
                    name + (at == null ? "" : ":" + at.getLineNr() + ":" + at.getColumnNr()) + ": " + problem, e);
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
            case VALUE_NUMBER_INT -> {
                BigInteger number = parser.getBigIntegerValue();
                if (number.bitLength() > (number.signum() < 0 ? Long.SIZE - 1 : Long.SIZE)) {
                    throw new IOException(place + " does not fit in 64 bits");
                }
                yield number.longValue();
            }
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

    List<JsonTree> objects(String key) {
        return list(JsonTree.class, key, "an object");
    }

    List<String> texts(String key) {
        return list(String.class, key, "a text");
    }

    List<Long> integers(String key) {
        return list(Long.class, key, "a whole number");
    }

    private <T> List<T> list(Class<T> type, String key, String what) {
        List<T> items = new ArrayList<>();
        for (Object item : list(key)) {
            if (!type.isInstance(item)) {
                throw new IllegalArgumentException(name(key) + "[" + items.size() + "] is not " + what);
            }
            items.add(type.cast(item));
        }
        return items;
    }

    String text(String key) {
        return as(String.class, key, "a text");
    }

    long integer(String key) {
        return as(Long.class, key, "a whole number");
    }

    int smallInteger(String key) {
        long value = integer(key);
        if (value != (int) value) {
            throw new IllegalArgumentException(name(key) + " does not fit in 32 bits");
        }
        return (int) value;
    }

    OptionalInt optionalInteger(String key) {
        return has(key) ? OptionalInt.of(smallInteger(key)) : OptionalInt.empty();
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
            throw new IllegalArgumentException(name(key) + (value == null ? " is missing" : " is not " + what));
        }
        return type.cast(value);
    }

    private String name(String key) {
        return place + (place.endsWith(" ") ? "" : ".") + key;
    }
}
