// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.abi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads which structs and fields {@code nvml-structs.json} measures. */
final class StructFacts {
    private StructFacts() {}

    /**
     * Reads the names.
     *
     * @param json text of {@code nvml-structs.json}
     * @return the last part of each field's name, by struct; empty for an alias
     */
    static Map<String, List<String>> read(String json) throws IOException {
        Map<String, List<String>> structs = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            while (!"structs".equals(parser.nextFieldName())) {
                // Skip what comes before.
            }
            parser.nextToken();
            for (String struct = parser.nextFieldName(); struct != null; struct = parser.nextFieldName()) {
                structs.put(struct, readStruct(parser));
            }
        }
        return structs;
    }

    private static List<String> readStruct(JsonParser parser) throws IOException {
        List<String> fields = new ArrayList<>();
        parser.nextToken();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            if (!key.equals("fields")) {
                parser.nextToken();
                continue;
            }
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                fields.add(name.substring(name.lastIndexOf('.') + 1));
                parser.nextToken();
                parser.skipChildren();
            }
        }
        return fields;
    }
}
