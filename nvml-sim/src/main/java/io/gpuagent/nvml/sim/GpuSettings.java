// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What an operator has set on a GPU; what is empty is as the card has it by itself. Guarded by the lock of the GPU. All
 * of it but the ECC mode is forgotten when the driver is unloaded (nvml.h).
 */
final class GpuSettings {
    /** Milliwatts. */
    OptionalInt powerLimit = OptionalInt.empty();

    Optional<ClockRange> graphicsLock = Optional.empty();
    Optional<ClockRange> memoryLock = Optional.empty();
    /** Application clocks, MHz. */
    OptionalInt applicationGraphics = OptionalInt.empty();

    OptionalInt applicationMemory = OptionalInt.empty();
    /** Degrees Celsius. */
    OptionalInt acousticThreshold = OptionalInt.empty();
    /** 1 for on; the card's own where nobody has changed it. */
    OptionalInt eccMode = OptionalInt.empty();

    OptionalInt pendingEccMode = OptionalInt.empty();
    /** Percent of the highest speed by fan; fans that the driver controls are not in it. */
    final Map<Integer, Integer> fanSpeeds = new TreeMap<>();

    boolean isDraining;

    /**
     * A range of clocks.
     *
     * @param min MHz
     * @param max MHz
     */
    record ClockRange(int min, int max) {
        int clamp(int megahertz) {
            return Math.clamp(megahertz, min, max);
        }
    }

    int graphics(int megahertz) {
        int wanted = applicationGraphics.isPresent() ? Math.min(megahertz, applicationGraphics.getAsInt()) : megahertz;
        return graphicsLock.map(range -> range.clamp(wanted)).orElse(wanted);
    }

    int memory(int megahertz) {
        int wanted = applicationMemory.isPresent() ? Math.min(megahertz, applicationMemory.getAsInt()) : megahertz;
        return memoryLock.map(range -> range.clamp(wanted)).orElse(wanted);
    }

    int power(int milliwatts) {
        return powerLimit.isPresent() ? Math.min(milliwatts, powerLimit.getAsInt()) : milliwatts;
    }

    /** What is left of it when the driver is loaded anew. */
    void reload() {
        powerLimit = OptionalInt.empty();
        graphicsLock = Optional.empty();
        memoryLock = Optional.empty();
        applicationGraphics = OptionalInt.empty();
        applicationMemory = OptionalInt.empty();
        acousticThreshold = OptionalInt.empty();
        fanSpeeds.clear();
        isDraining = false;
        if (pendingEccMode.isPresent()) {
            eccMode = pendingEccMode;
        }
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        powerLimit.ifPresent(value -> members.put("power-limit", value));
        graphicsLock.ifPresent(range -> members.put("graphics-lock", List.of(range.min(), range.max())));
        memoryLock.ifPresent(range -> members.put("memory-lock", List.of(range.min(), range.max())));
        applicationGraphics.ifPresent(value -> members.put("application-graphics", value));
        applicationMemory.ifPresent(value -> members.put("application-memory", value));
        acousticThreshold.ifPresent(value -> members.put("acoustic-threshold", value));
        eccMode.ifPresent(value -> members.put("ecc", value));
        pendingEccMode.ifPresent(value -> members.put("pending-ecc", value));
        if (!fanSpeeds.isEmpty()) {
            members.put("fan-speeds", new TreeMap<>(fanSpeeds));
        }
        if (isDraining) {
            members.put("draining", true);
        }
        return members;
    }

    void restore(JsonTree saved) {
        powerLimit = saved.optionalInteger("power-limit");
        graphicsLock = range(saved, "graphics-lock");
        memoryLock = range(saved, "memory-lock");
        applicationGraphics = saved.optionalInteger("application-graphics");
        applicationMemory = saved.optionalInteger("application-memory");
        acousticThreshold = saved.optionalInteger("acoustic-threshold");
        eccMode = saved.optionalInteger("ecc");
        pendingEccMode = saved.optionalInteger("pending-ecc");
        fanSpeeds.clear();
        if (saved.has("fan-speeds")) {
            JsonTree fans = saved.object("fan-speeds");
            fans.members().keySet().forEach(fan -> fanSpeeds.put(Integer.valueOf(fan), fans.smallInteger(fan)));
        }
        isDraining = saved.flag("draining", false);
    }

    private static Optional<ClockRange> range(JsonTree saved, String key) {
        return saved.has(key)
                ? Optional.of(new ClockRange(
                        saved.integers(key).get(0).intValue(),
                        saved.integers(key).get(1).intValue()))
                : Optional.empty();
    }
}
