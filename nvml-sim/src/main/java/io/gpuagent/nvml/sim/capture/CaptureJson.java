// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/** How the answers of one object are written: one line each. */
final class CaptureJson {
    /** In the order of nvmlValueType_enum. */
    private static final List<String> TYPES = List.of(
            "DOUBLE",
            "UNSIGNED_INT",
            "UNSIGNED_LONG",
            "UNSIGNED_LONG_LONG",
            "SIGNED_LONG_LONG",
            "SIGNED_INT",
            "UNSIGNED_SHORT");

    private CaptureJson() {}

    static void write(JsonGenerator json, Map<String, List<CapturedCall>> byFunction, List<CapturedField> fields)
            throws IOException {
        json.writeObjectFieldStart("calls");
        for (Map.Entry<String, List<CapturedCall>> calls : byFunction.entrySet()) {
            json.writeArrayFieldStart(calls.getKey());
            for (CapturedCall call : calls.getValue()) {
                json.writeRawValue(line(inner -> writeCall(inner, call)));
            }
            json.writeEndArray();
        }
        json.writeEndObject();
        if (!fields.isEmpty()) {
            json.writeArrayFieldStart("fields");
            for (CapturedField field : fields) {
                json.writeRawValue(line(inner -> writeField(inner, field)));
            }
            json.writeEndArray();
        }
    }

    private interface Writer {
        void write(JsonGenerator json) throws IOException;
    }

    /** One line for each answer keeps a difference between two captures readable. */
    private static String line(Writer writer) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            writer.write(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void writeCall(JsonGenerator json, CapturedCall call) throws IOException {
        if (!call.in().isEmpty()) {
            json.writeFieldName("in");
            writeValue(json, call.in());
        }
        if (call.code().isEmpty()) {
            json.writeBooleanField("hung", true);
            return;
        }
        if (call.code().getAsInt() != 0) {
            json.writeNumberField("code", call.code().getAsInt());
        }
        if (!call.out().isEmpty()) {
            json.writeFieldName("out");
            writeValue(json, call.out());
        }
        writeTimes(json, call.firstMicros(), call.micros());
    }

    private static void writeField(JsonGenerator json, CapturedField field) throws IOException {
        json.writeNumberField("id", field.id());
        if (field.scope() != 0) {
            json.writeNumberField("scope", field.scope());
        }
        json.writeStringField("type", TYPES.get(field.type()));
        if (field.code() == 0) {
            json.writeFieldName("value");
            writeValue(json, field.type() == 4 || field.type() == 5 ? field.value() : unsigned(field.value()));
        } else {
            json.writeNumberField("error", field.code());
        }
        if (!field.isTimed()) {
            json.writeBooleanField("untimed", true);
        }
        json.writeNumberField("latency", field.latencyMicros());
        writeTimes(json, field.firstMicros(), field.micros());
    }

    private static Object unsigned(Number value) {
        return value instanceof Long number ? StructReader.unsigned(number) : value;
    }

    private static void writeTimes(JsonGenerator json, double first, double repeated) throws IOException {
        json.writeNumberField("first", rounded(first));
        json.writeNumberField("micros", rounded(repeated));
    }

    private static BigDecimal rounded(double micros) {
        return BigDecimal.valueOf(micros).setScale(2, RoundingMode.HALF_UP);
    }

    private static void writeValue(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case String text -> json.writeString(text);
            case Long number -> json.writeNumber(number);
            case BigInteger number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case List<?> items -> {
                json.writeStartArray();
                for (Object item : items) {
                    writeValue(json, item);
                }
                json.writeEndArray();
            }
            case Map<?, ?> fields -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> field : fields.entrySet()) {
                    json.writeFieldName(String.valueOf(field.getKey()));
                    writeValue(json, field.getValue());
                }
                json.writeEndObject();
            }
            default -> throw new IllegalStateException(value + " has no place in a capture");
        }
    }
}
