// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object, taken out one by one: one that is missing, of another type or left over is an error. */
final class Fields {
    static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(8).build())
            .build();

    private final String where;
    private final Map<String, Object> left;

    private Fields(String where, Map<String, Object> members) {
        this.where = where;
        left = members;
    }

    /** Reads one object; nothing may follow it. */
    static Fields read(String where, String line) throws WireException {
        try (JsonParser parser = JSON.createParser(line)) {
            Object value = value(parser, parser.nextToken());
            if (parser.nextToken() != null) {
                throw new WireException("something follows the " + where);
            }
            return of(where, value);
        } catch (IOException e) {
            throw new WireException("the " + where + " is no JSON", e);
        }
    }

    @SuppressWarnings("unchecked") // value() makes no other maps.
    private static Fields of(String where, Object value) throws WireException {
        if (value instanceof Map<?, ?> members) {
            return new Fields(where, (Map<String, Object>) members);
        }
        throw new WireException("the " + where + " is no JSON object");
    }

    private static Object value(JsonParser parser, @Nullable JsonToken token) throws IOException, WireException {
        if (token == null) {
            throw new WireException("the JSON ends too early");
        }
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    members.put(name, value(parser, parser.nextToken()));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    items.add(value(parser, next));
                }
                yield items;
            }
            case VALUE_STRING -> parser.getText();
            // Beyond 64 bits this throws: no number of this protocol is so large.
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new WireException("the JSON holds a value of a kind that is not used here");
        };
    }

    boolean has(String name) {
        return left.containsKey(name);
    }

    String text(String name) throws WireException {
        return take(name, String.class, "a string");
    }

    Optional<String> optionalText(String name) throws WireException {
        return has(name) ? Optional.of(text(name)) : Optional.empty();
    }

    long number(String name) throws WireException {
        return take(name, Long.class, "a whole number");
    }

    /** A whole number that is 0 or more and fits an int. */
    int small(String name) throws WireException {
        return small(name, number(name));
    }

    OptionalInt optionalSmall(String name) throws WireException {
        return has(name) ? OptionalInt.of(small(name)) : OptionalInt.empty();
    }

    static int small(String name, long number) throws WireException {
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw new WireException("member \"" + name + "\" is out of range; it is 0 to " + Integer.MAX_VALUE);
        }
        return (int) number;
    }

    boolean truth(String name) throws WireException {
        return take(name, Boolean.class, "true or false");
    }

    Fields object(String name) throws WireException {
        return of(name, take(name, Map.class, "an object"));
    }

    List<String> texts(String name) throws WireException {
        return items(name, String.class, "strings");
    }

    List<Long> numbers(String name) throws WireException {
        return items(name, Long.class, "whole numbers");
    }

    List<Fields> objects(String name) throws WireException {
        List<Fields> objects = new ArrayList<>();
        for (Object item : items(name, Map.class, "objects")) {
            objects.add(of(name, item));
        }
        return objects;
    }

    /** The members of an object that maps names to strings. */
    Map<String, String> textMap(String name) throws WireException {
        Fields members = object(name);
        Map<String, String> texts = new LinkedHashMap<>();
        for (String member : List.copyOf(members.left.keySet())) {
            texts.put(member, members.text(member));
        }
        return texts;
    }

    /** All has been taken that is there. */
    void end() throws WireException {
        if (!left.isEmpty()) {
            // The name came from outside and is not repeated.
            throw new WireException("the " + where + " has a member that does not belong there");
        }
    }

    private <T> List<T> items(String name, Class<T> type, String kind) throws WireException {
        List<T> items = new ArrayList<>();
        for (Object item : take(name, List.class, "an array")) {
            if (!type.isInstance(item)) {
                throw new WireException("member \"" + name + "\" of the " + where + " must hold " + kind);
            }
            items.add(type.cast(item));
        }
        return items;
    }

    private <T> T take(String name, Class<T> type, String kind) throws WireException {
        Object value = left.remove(name);
        if (!type.isInstance(value)) {
            throw new WireException("member \"" + name + "\" of the " + where
                    + (value == null ? " is missing; it must be " : " must be ") + kind);
        }
        return type.cast(value);
    }
}
