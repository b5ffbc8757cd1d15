// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.sim.capture.Capture;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The profile h200, idle, against the capture of a real H200: asked every question of the capture, by real calls through
 * C function pointers, it gives the same code and the same values, but for what is listed here.
 */
class CapturedH200IT {
    /** Questions whose answer must differ, and why. */
    private static final Map<String, String> EXCEPTIONS = Map.of(
            "nvmlDeviceGetUUID", "replaced in the capture; a simulated GPU has the same in every run",
            "nvmlDeviceGetSerial", "replaced in the capture; a simulated GPU has the same in every run",
            "nvmlDeviceGetSamples", "times of the day, and power that was a bit different in each of them",
            "nvmlDeviceGetViolationStatus", "referenceTime is the time of the day",
            "field 83", "energy had gone on since nvmlDeviceGetTotalEnergyConsumption was asked",
            "field 191", "energy had gone on since nvmlDeviceGetTotalEnergyConsumption was asked",
            "field 185", "power had changed since nvmlDeviceGetPowerUsage was asked",
            "field 186", "power had changed since nvmlDeviceGetPowerUsage was asked");

    private static JsonTree captured;
    private static JsonTree simulated;

    @BeforeAll
    static void askTheSimulatedCard() throws Exception {
        captured = JsonTree.read(
                "h200-580.159.04.json",
                Objects.requireNonNull(SimProfile.class.getResourceAsStream("h200-580.159.04.json")));
        SimulatedDriver driver = SimulatedDriver.start(SimProfile.parse("h200"), () -> 0);
        driver.freeze();
        String document =
                Capture.take(driver, () -> 0, true, Capture.Deadlines.DEFAULT).json("A test.");
        assertThat(driver.calls().failures()).as("the simulator's own faults").isEmpty();
        simulated = JsonTree.read("simulated", new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void everyGetterAnswersAsTheCardDid() {
        int asked = 0;
        for (String object : objects(captured)) {
            JsonTree real = calls(captured, object);
            for (String function : real.members().keySet()) {
                Map<Object, Object> answers = answers(calls(simulated, object), function);
                for (Map.Entry<Object, Object> answer : answers(real, function).entrySet()) {
                    asked++;
                    if (!EXCEPTIONS.containsKey(function)) {
                        assertThat(answers.get(answer.getKey()))
                                .as(object + " " + function + " " + answer.getKey())
                                .isEqualTo(answer.getValue());
                    }
                }
            }
        }
        assertThat(asked).isEqualTo(758);
    }

    @Test
    void everyFieldAnswersAsTheCardDid() {
        Map<String, Object> answers = fields(simulated);
        Map<String, Object> real = fields(captured);
        real.forEach((field, answer) -> {
            if (!EXCEPTIONS.containsKey(field)) {
                assertThat(answers.get(field)).as(field).isEqualTo(answer);
            }
        });
        assertThat(real).hasSize(359);
    }

    @Test
    void exceptionsAreOnlyForWhatDiffers() {
        List<String> differ = new ArrayList<>();
        for (String object : objects(captured)) {
            JsonTree real = calls(captured, object);
            real.members().keySet().stream()
                    .filter(function -> !answers(real, function).equals(answers(calls(simulated, object), function)))
                    .forEach(differ::add);
        }
        Map<String, Object> answers = fields(simulated);
        fields(captured).forEach((field, answer) -> {
            if (!answer.equals(answers.get(field))) {
                differ.add(field);
            }
        });

        assertThat(new TreeSet<>(differ)).isEqualTo(new TreeSet<>(EXCEPTIONS.keySet()));
    }

    @Test
    void whatDiffersKeepsItsCodeAndShape() {
        for (String function : List.of("nvmlDeviceGetSamples", "nvmlDeviceGetViolationStatus")) {
            Map<Object, Object> real = answers(calls(captured, "gpu0"), function);
            Map<Object, Object> ours = answers(calls(simulated, "gpu0"), function);
            assertThat(ours.keySet()).as(function).containsAll(real.keySet());
            real.forEach((question, answer) -> assertThat(((Map<?, ?>) ours.get(question)).get("code"))
                    .as(function + " " + question)
                    .isEqualTo(((Map<?, ?>) answer).get("code")));
        }
    }

    private static List<String> objects(JsonTree document) {
        return List.copyOf(document.object("objects").members().keySet());
    }

    private static JsonTree calls(JsonTree document, String object) {
        return document.object("objects").object(object).object("calls");
    }

    /** Codes and values by question; how long a call took is no part of them. */
    private static Map<Object, Object> answers(JsonTree calls, String function) {
        Map<Object, Object> answers = new LinkedHashMap<>();
        for (JsonTree call : calls.objects(function)) {
            Map<String, Object> answer = new HashMap<>();
            answer.put("code", call.has("code") ? call.integer("code") : 0L);
            answer.put("out", call.has("out") ? plain(call.object("out")) : Map.of());
            answers.put(call.has("in") ? plain(call.object("in")) : Map.of(), answer);
        }
        return answers;
    }

    private static Map<String, Object> fields(JsonTree document) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (JsonTree field : document.object("objects").object("gpu0").objects("fields")) {
            Map<String, @Nullable Object> answer = new HashMap<>(field.members());
            answer.keySet().removeAll(List.of("first", "micros", "latency"));
            String scope = field.has("scope") ? " scope " + field.integer("scope") : "";
            fields.put("field " + field.integer("id") + scope, answer);
        }
        return fields;
    }

    /** Without the places that {@link JsonTree} remembers, which differ between two documents. */
    private static Object plain(Object value) {
        return switch (value) {
            case JsonTree tree -> {
                Map<String, Object> members = new HashMap<>();
                tree.members().forEach((key, member) -> members.put(key, plain(member)));
                yield members;
            }
            case List<?> list -> list.stream().map(CapturedH200IT::plain).toList();
            default -> value;
        };
    }
}
