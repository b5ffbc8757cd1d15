// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.gpuagent.model.Absence;
import io.gpuagent.model.AgentFigures;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.format.DateTimeFormatter;

/**
 * Writes a snapshot as {@code /v1/status} and {@code gpu-agent status --json} give it; {@code docs/api/status.md}
 * describes the shape. {@link NodeStatus} reads it.
 */
public final class StatusJson {
    /** The shape's version; it changes when a reader of the old one would go wrong. */
    public static final int VERSION = 1;

    private static final JsonFactory JSON = new JsonFactory();
    private static final double MILLIS_PER_SECOND = 1000;
    private static final double NANOS_PER_MILLI = 1_000_000;

    private StatusJson() {}

    /**
     * Writes a snapshot.
     *
     * @param node the snapshot
     * @return UTF-8 text
     */
    public static byte[] write(NodeSnapshot node) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeNumberField("version", VERSION);
            json.writeNumberField("generation", node.generation());
            json.writeStringField("taken_at", DateTimeFormatter.ISO_INSTANT.format(node.takenAt()));
            agent(json, node.agent());
            driver(json, node.driver());
            json.writeArrayFieldStart("gpus");
            for (GpuSnapshot gpu : node.gpus()) {
                gpu(json, gpu, node.takenAtNanos());
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void agent(JsonGenerator json, AgentFigures agent) throws IOException {
        json.writeObjectFieldStart("agent");
        json.writeStringField("version", agent.version());
        json.writeBooleanField("simulated", agent.simulated());
        json.writeArrayFieldStart("calls_in_flight");
        for (AgentFigures.InFlight call : agent.inFlight()) {
            json.writeStartObject();
            json.writeStringField("thread", call.thread());
            json.writeStringField("function", call.function());
            json.writeFieldName("seconds");
            ReadingJson.number(json, call.seconds());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void driver(JsonGenerator json, DriverState driver) throws IOException {
        json.writeObjectFieldStart("driver");
        switch (driver) {
            case DriverState.Up up -> {
                json.writeStringField("state", "up");
                json.writeStringField("driver_version", up.driverVersion());
                json.writeStringField("nvml_version", up.nvmlVersion());
                json.writeStringField("cuda_version", up.cudaDriverVersion());
                json.writeStringField("source", up.source());
            }
            case DriverState.Down down -> {
                json.writeStringField("state", "down");
                json.writeStringField("reason", down.reason().label());
                json.writeStringField("explanation", down.explanation());
                if (down.code() != null) {
                    json.writeStringField("code", down.code());
                }
            }
        }
        json.writeEndObject();
    }

    private static void gpu(JsonGenerator json, GpuSnapshot gpu, long takenAtNanos) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", gpu.identity().index());
        json.writeStringField("uuid", gpu.identity().uuid());
        json.writeStringField("state", gpu.condition().state().label());
        String detail = gpu.condition().detail();
        if (detail != null) {
            json.writeStringField("detail", detail);
        }
        json.writeObjectFieldStart("readings");
        for (ReadingKey<?> key : ReadingKeys.ALL) {
            json.writeObjectFieldStart(key.name());
            reading(json, key, gpu.readings().get(key), takenAtNanos);
            json.writeEndObject();
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void reading(JsonGenerator json, ReadingKey<?> key, Reading<?> reading, long takenAtNanos)
            throws IOException {
        switch (reading) {
            // JSON has no such number, and a string in its place would be a sentinel.
            case Reading.Present<?>(Double value, long _)
            when !Double.isFinite(value) -> ReadingJson.absent(json, Absence.OUT_OF_RANGE, String.valueOf(value));
            case Reading.Present<?>(Object value, long atNanos) -> {
                json.writeFieldName("value");
                ReadingJson.value(json, value);
                if (key.tier() != Tier.STATIC) {
                    json.writeFieldName("age_seconds");
                    long millis = Math.round(Math.max(takenAtNanos - atNanos, 0) / NANOS_PER_MILLI);
                    ReadingJson.number(json, millis / MILLIS_PER_SECOND);
                }
            }
            case Reading.Absent<?> none -> ReadingJson.absent(json, none.why(), none.detail());
        }
    }
}
