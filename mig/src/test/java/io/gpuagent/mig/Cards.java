// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The profile tables of cards, from the descriptions of nvml-sim. */
public final class Cards {
    public static final MigCard H200 = read("h200");
    public static final MigCard H100 = read("h100-80gb");
    public static final MigCard A100 = read("a100-40gb");
    public static final MigCard A100_80GB = read("a100-80gb");
    public static final MigCard A30 = read("a30");
    public static final MigCard RTX_PRO_6000 = read("rtx-pro-6000");

    private Cards() {}

    private static MigCard read(String description) {
        String resource = "/io/gpuagent/nvml/sim/" + description + ".json";
        try (InputStream in = Cards.class.getResourceAsStream(resource);
                JsonParser json = new JsonFactory().createParser(in)) {
            while (json.nextToken() != JsonToken.FIELD_NAME
                    || !json.currentName().equals("profiles")) {
                if (json.currentToken() == null) {
                    throw new IllegalStateException(resource + " has no profiles");
                }
            }
            json.nextToken();
            List<GpuProfile> profiles = new ArrayList<>();
            while (json.nextToken() == JsonToken.START_OBJECT) {
                profiles.add(profile(json));
            }
            return new MigCard(profiles);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GpuProfile profile(JsonParser json) throws IOException {
        Map<String, Integer> numbers = new HashMap<>();
        List<Integer> starts = new ArrayList<>();
        String name = "";
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String field = json.currentName();
            switch (json.nextToken()) {
                case VALUE_STRING -> name = json.getText();
                case VALUE_NUMBER_INT -> numbers.put(field, json.getIntValue());
                case START_ARRAY -> {
                    while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                        starts.add(json.getIntValue());
                    }
                }
                default -> throw new IllegalStateException("unexpected value of " + field);
            }
        }
        int size = numbers.get("size");
        return new GpuProfile(
                numbers.get("id"),
                "MIG " + name,
                numbers.get("slices"),
                numbers.get("most"),
                numbers.get("sm"),
                new Engines(
                        numbers.get("ce"),
                        numbers.get("dec"),
                        numbers.get("enc"),
                        numbers.get("jpg"),
                        numbers.get("ofa")),
                numbers.get("mib"),
                starts.stream().map(start -> new Placement(start, size)).toList(),
                List.of());
    }
}
