// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import io.gpuagent.model.DriverState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node's status as it was read from JSON; what a newer agent added is passed over.
 *
 * @param agentVersion the version of the agent that wrote it
 * @param simulated whether the GPUs are simulated
 * @param driver whether there is a driver
 * @param gpus the GPUs
 */
public record NodeStatus(String agentVersion, boolean simulated, DriverState driver, List<GpuStatus> gpus) {
    /** Takes a copy of the list. */
    public NodeStatus {
        gpus = List.copyOf(gpus);
    }

    /**
     * Reads a status.
     *
     * @param json what {@link StatusJson} wrote
     * @return the status
     * @throws JsonShapeException when it is something else
     */
    public static NodeStatus of(JsonValue json) throws JsonShapeException {
        double version = json.number("version").orElseThrow(() -> missing("version"));
        if (version != StatusJson.VERSION) {
            throw new JsonShapeException("it has the shape of version " + (long) version
                    + " and this command knows version " + StatusJson.VERSION);
        }
        List<GpuStatus> gpus = new ArrayList<>();
        for (JsonValue gpu : json.items("gpus").orElseThrow(() -> missing("gpus"))) {
            gpus.add(GpuStatus.of(gpu));
        }
        return new NodeStatus(
                json.text("agent", "version").orElseThrow(() -> missing("agent.version")),
                json.truth("agent", "simulated").orElseThrow(() -> missing("agent.simulated")),
                driver(json),
                gpus);
    }

    private static DriverState driver(JsonValue json) throws JsonShapeException {
        String state = json.text("driver", "state").orElseThrow(() -> missing("driver.state"));
        return switch (state) {
            case "up" ->
                new DriverState.Up(
                        part(json, "driver_version"),
                        part(json, "nvml_version"),
                        part(json, "cuda_version"),
                        part(json, "source"));
            case "down" ->
                new DriverState.Down(
                        reason(part(json, "reason")),
                        part(json, "explanation"),
                        json.text("driver", "code").orElse(null));
            default -> throw new JsonShapeException("it has a driver in no known state");
        };
    }

    private static String part(JsonValue json, String name) throws JsonShapeException {
        return json.text("driver", name).orElseThrow(() -> missing("driver." + name));
    }

    private static DriverState.Reason reason(String label) {
        for (DriverState.Reason reason : DriverState.Reason.values()) {
            if (reason.label().equals(label)) {
                return reason;
            }
        }
        // A reason newer than this command: the explanation beside it says what it is.
        return DriverState.Reason.FAILED;
    }

    static JsonShapeException missing(String member) {
        return new JsonShapeException("it has no " + member);
    }

    /**
     * One GPU.
     *
     * @param index NVML's index
     * @param uuid its UUID
     * @param state whether it answers: {@code ok} or the label of another state
     * @param detail what is wrong with it, in one sentence
     * @param json all of it
     */
    public record GpuStatus(int index, String uuid, String state, Optional<String> detail, JsonValue json) {
        private static GpuStatus of(JsonValue json) throws JsonShapeException {
            return new GpuStatus(
                    json.number("index")
                            .orElseThrow(() -> missing("gpus.index"))
                            .intValue(),
                    json.text("uuid").orElseThrow(() -> missing("gpus.uuid")),
                    json.text("state").orElseThrow(() -> missing("gpus.state")),
                    json.text("detail"),
                    json);
        }

        /**
         * A reading's value.
         *
         * @param key the reading's name, as in {@code temperature.gpu}
         * @return the value, empty where the reading is absent
         */
        public Optional<JsonValue> value(String key) {
            return json.at("readings", key, "value");
        }

        /**
         * A reading's value where it is a number.
         *
         * @param key the reading's name
         * @return the number, empty where the reading is absent
         */
        public Optional<Double> number(String key) {
            return json.number("readings", key, "value");
        }
    }
}
