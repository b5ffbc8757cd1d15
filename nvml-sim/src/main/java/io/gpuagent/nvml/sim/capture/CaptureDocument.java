// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.gpuagent.nvml.sim.CFunction;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a capture has found, as the document that the simulator replays. Its format is made of C names alone, so that what
 * is captured can grow without a new format: objects by name, their calls by function, questions and answers by
 * parameter.
 */
public final class CaptureDocument {
    private static final int FORMAT = 1;

    private final boolean isReplaced;
    private final List<String> missing = new ArrayList<>();
    private final Map<String, Findings> objects = new LinkedHashMap<>();

    /** What one object answered. */
    private static final class Findings {
        final Map<String, List<CapturedCall>> calls = new LinkedHashMap<>();
        final List<CapturedField> fields = new ArrayList<>();
    }

    CaptureDocument(boolean isReplaced) {
        this.isReplaced = isReplaced;
    }

    void addMissing(String function) {
        missing.add(function);
    }

    void add(CapturedObject object) {
        objects.putIfAbsent(object.name(), new Findings());
    }

    void add(CapturedObject object, CFunction function, CapturedCall call) {
        findings(object)
                .calls
                .computeIfAbsent(function.name(), name -> new ArrayList<>())
                .add(call);
    }

    void add(CapturedObject object, CapturedField field) {
        findings(object).fields.add(field);
    }

    private Findings findings(CapturedObject object) {
        return objects.computeIfAbsent(object.name(), name -> new Findings());
    }

    /** How many GPUs the library has said that there are. */
    int gpuCount() {
        return answered("nvmlDeviceGetCount_v2", "deviceCount")
                .or(() -> answered("nvmlDeviceGetCount", "deviceCount"))
                .map(count -> ((Long) count).intValue())
                .orElse(0);
    }

    private Optional<Object> answered(String function, String parameter) {
        return objects
                .getOrDefault(CapturedObject.NODE, new Findings())
                .calls
                .getOrDefault(function, List.of())
                .stream()
                .findFirst()
                .map(call -> call.out().get(parameter));
    }

    /**
     * How many GPUs were found.
     *
     * @return those that could be attached, and those that could not
     */
    public int gpus() {
        return (int) objects.keySet().stream()
                .filter(name -> name.startsWith("gpu") && name.indexOf('/') < 0)
                .count();
    }

    /**
     * How many questions were asked.
     *
     * @return questions, each of which was one call or more
     */
    public int questions() {
        return objects.values().stream()
                .mapToInt(found -> found.fields.size()
                        + found.calls.values().stream().mapToInt(List::size).sum())
                .sum();
    }

    /**
     * The calls that did not return.
     *
     * @return object and function of each, such as {@code gpu1 nvmlDeviceGetPowerUsage}
     */
    public List<String> hung() {
        List<String> hung = new ArrayList<>();
        objects.forEach((name, found) -> found.calls.forEach((function, calls) ->
                calls.stream().filter(call -> call.code().isEmpty()).forEach(call -> hung.add(name + " " + function))));
        return hung;
    }

    /**
     * What initialising the library answered.
     *
     * @return an {@code nvmlReturn_t}; 0 also where it did not return
     */
    public int initCode() {
        return objects
                .getOrDefault(CapturedObject.NODE, new Findings())
                .calls
                .getOrDefault("nvmlInit_v2", List.of())
                .stream()
                .findFirst()
                .map(call -> call.code().orElse(0))
                .orElse(0);
    }

    /**
     * The document.
     *
     * @param about a sentence on where it comes from, for people
     * @return JSON that the simulator takes as a profile
     */
    public String json(String about) {
        StringWriter text = new StringWriter();
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter()
                .withArrayIndenter(new DefaultIndenter("  ", "\n"))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        try (JsonGenerator json = new JsonFactory().createGenerator(text).setPrettyPrinter(printer)) {
            json.writeStartObject();
            json.writeStringField("name", "capture");
            json.writeNumberField("format", FORMAT);
            json.writeStringField("about", about);
            json.writeBooleanField("identifiers-replaced", isReplaced);
            writeDriver(json);
            json.writeArrayFieldStart("missing");
            for (String function : missing) {
                json.writeString(function);
            }
            json.writeEndArray();
            json.writeObjectFieldStart("objects");
            for (Map.Entry<String, Findings> object : objects.entrySet()) {
                json.writeObjectFieldStart(object.getKey());
                CaptureJson.write(json, object.getValue().calls, object.getValue().fields);
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private void writeDriver(JsonGenerator json) throws IOException {
        Optional<Object> driver = answered("nvmlSystemGetDriverVersion", "version");
        Optional<Object> library = answered("nvmlSystemGetNVMLVersion", "version");
        if (driver.isEmpty() || library.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart("driver");
        json.writeStringField("version", (String) driver.get());
        json.writeStringField("nvml", (String) library.get());
        json.writeNumberField("cuda", (Long) answered("nvmlSystemGetCudaDriverVersion_v2", "cudaDriverVersion")
                .orElse(0L));
        json.writeEndObject();
    }
}
