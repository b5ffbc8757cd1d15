// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.gpuagent.agent.api.json.JsonValue.JsonArray;
import io.gpuagent.agent.api.json.JsonValue.JsonNull;
import io.gpuagent.agent.api.json.JsonValue.JsonNumber;
import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.agent.api.json.JsonValue.JsonText;
import io.gpuagent.agent.api.json.JsonValue.JsonTruth;
import io.gpuagent.model.UserText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into {@link JsonValue}s; a repeated member is an error. */
public final class JsonReader {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonReader() {}

    /**
     * Reads one value.
     *
     * @param json UTF-8 text
     * @return the value
     * @throws JsonShapeException when the text is not one JSON value
     */
    public static JsonValue read(byte[] json) throws JsonShapeException {
        // Jackson bounds depth, number length and string length by itself.
        try (JsonParser parser = JSON.createParser(json)) {
            JsonValue value = value(parser, parser.nextToken());
            if (parser.nextToken() != null) {
                throw new JsonShapeException("something follows the JSON value");
            }
            return value;
        } catch (JsonProcessingException e) {
            JsonLocation place = e.getLocation();
            throw new JsonShapeException(
                    place == null
                            ? "it is no JSON"
                            : "it is no JSON at line " + place.getLineNr() + ", column " + place.getColumnNr(),
                    e);
        } catch (IOException e) {
            // Bytes that are no UTF-8, for example.
            throw new JsonShapeException("it is no JSON", e);
        }
    }

    private static JsonValue value(JsonParser parser, @Nullable JsonToken token)
            throws IOException, JsonShapeException {
        if (token == null) {
            throw new JsonShapeException("the JSON ends too early");
        }
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> new JsonText(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
            case VALUE_TRUE -> new JsonTruth(true);
            case VALUE_FALSE -> new JsonTruth(false);
            case VALUE_NULL -> new JsonNull();
            default -> throw new JsonShapeException("a JSON value is missing");
        };
    }

    private static JsonObject object(JsonParser parser) throws IOException, JsonShapeException {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            if (members.put(name, value(parser, parser.nextToken())) != null) {
                throw new JsonShapeException(
                        "the member " + UserText.quoted(name) + " is there twice; keep one of the two");
            }
        }
        return new JsonObject(members);
    }

    private static JsonArray array(JsonParser parser) throws IOException, JsonShapeException {
        List<JsonValue> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token));
        }
        return new JsonArray(items);
    }
}
