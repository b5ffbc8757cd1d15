// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;

/** The JSON document in which the state of a simulated machine is kept. */
final class MachineDocument {
    /** A build refuses any other. */
    static final int FORMAT = 1;

    private MachineDocument() {}

    static void requireKnown(JsonTree document) {
        long format = document.integer("format");
        if (format != FORMAT) {
            throw new IllegalArgumentException(
                    document.place() + "format " + format + " is not known to this build, which reads " + FORMAT);
        }
    }

    /**
     * Writes an object.
     *
     * @param members its members: numbers, texts, truth values, and lists and maps of these
     */
    static String text(Map<String, ?> members) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            write(json, members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The number of the change that led to a document, as its first member. */
    static String numbered(String text, long number) {
        return "{\"format\":" + FORMAT + ",\"change\":" + number + "," + text.substring(1) + "\n";
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> members -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> member : members.entrySet()) {
                    json.writeFieldName(String.valueOf(member.getKey()));
                    write(json, member.getValue());
                }
                json.writeEndObject();
            }
            case Iterable<?> items -> {
                json.writeStartArray();
                for (Object item : items) {
                    write(json, item);
                }
                json.writeEndArray();
            }
            case Boolean truth -> json.writeBoolean(truth);
            case Double number -> json.writeNumber(number);
            case Number number -> json.writeNumber(number.longValue());
            case String text -> json.writeString(text);
            default -> throw new IllegalArgumentException(value.getClass() + " has no form in a document");
        }
    }
}
