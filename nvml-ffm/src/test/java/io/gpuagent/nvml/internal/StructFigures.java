// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sizes, offsets and version words as the C compiler has them ({@code nvml-structs.json}). */
final class StructFigures {
    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private final Map<String, Map<String, Place>> fields = new LinkedHashMap<>();
    private final Map<String, Long> versions = new LinkedHashMap<>();

    /** Where a field lies, in bytes. */
    record Place(long offset, long size) {}

    private StructFigures(Map<?, ?> json) {
        ((Map<?, ?>) json.get("structs")).forEach((name, struct) -> add((String) name, (Map<?, ?>) struct));
        ((Map<?, ?>) json.get("versions")).forEach((name, word) -> versions.put((String) name, (Long) word));
    }

    static StructFigures read() throws IOException {
        try (InputStream in = Layouts.class.getResourceAsStream("/io/gpuagent/nvml/abi/nvml-structs.json");
                JsonParser parser = new JsonFactory().createParser(in)) {
            parser.nextToken();
            return new StructFigures((Map<?, ?>) value(parser));
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return parser.currentToken() == JsonToken.VALUE_STRING ? parser.getText() : (Object) parser.getLongValue();
        }
        Map<String, Object> members = new LinkedHashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            parser.nextToken();
            members.put(name, value(parser));
        }
        return members;
    }

    private void add(String name, Map<?, ?> struct) {
        if (struct.containsKey("same")) {
            String original = (String) struct.get("same");
            sizes.put(name, sizes.get(original));
            fields.put(name, fields.get(original));
            return;
        }
        sizes.put(name, (Long) struct.get("size"));
        Map<String, Place> places = new LinkedHashMap<>();
        ((Map<?, ?>) struct.get("fields")).forEach((field, figures) -> {
            Map<?, ?> f = (Map<?, ?>) figures;
            places.put((String) field, new Place((Long) f.get("offset"), (Long) f.get("size")));
        });
        fields.put(name, places);
    }

    long size(String struct) {
        return sizes.get(struct);
    }

    Map<String, Place> fields(String struct) {
        return fields.get(struct);
    }

    long versionWord(String macro) {
        return versions.get(macro);
    }
}
