// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The readings of a GPU that a test or a scenario has taken out of the hands of its load. Guarded by the lock of the
 * GPU.
 */
final class Pins {
    OptionalInt gpuPercent = OptionalInt.empty();
    OptionalInt memoryPercent = OptionalInt.empty();
    OptionalLong memoryUsed = OptionalLong.empty();
    OptionalInt power = OptionalInt.empty();
    OptionalInt temperature = OptionalInt.empty();
    OptionalInt memoryTemperature = OptionalInt.empty();
    OptionalLong reasons = OptionalLong.empty();

    @Nullable
    List<SimulatedProcess> processes;

    boolean isFrozen;

    void forget() {
        restore(new JsonTree("", Map.of()));
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        gpuPercent.ifPresent(value -> members.put("gpu-percent", value));
        memoryPercent.ifPresent(value -> members.put("memory-percent", value));
        memoryUsed.ifPresent(value -> members.put("memory-used", value));
        power.ifPresent(value -> members.put("power", value));
        temperature.ifPresent(value -> members.put("temperature", value));
        memoryTemperature.ifPresent(value -> members.put("memory-temperature", value));
        reasons.ifPresent(value -> members.put("reasons", value));
        if (processes != null) {
            members.put(
                    "processes", processes.stream().map(SimulatedProcess::saved).toList());
        }
        if (isFrozen) {
            members.put("frozen", true);
        }
        return members;
    }

    void restore(JsonTree saved) {
        gpuPercent = saved.optionalInteger("gpu-percent");
        memoryPercent = saved.optionalInteger("memory-percent");
        memoryUsed = saved.has("memory-used") ? OptionalLong.of(saved.integer("memory-used")) : OptionalLong.empty();
        power = saved.optionalInteger("power");
        temperature = saved.optionalInteger("temperature");
        memoryTemperature = saved.optionalInteger("memory-temperature");
        reasons = saved.has("reasons") ? OptionalLong.of(saved.integer("reasons")) : OptionalLong.empty();
        processes = saved.has("processes")
                ? saved.objects("processes").stream()
                        .map(SimulatedProcess::restored)
                        .toList()
                : null;
        isFrozen = saved.flag("frozen", false);
    }
}
