// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Steps of a scenario that are about the machine itself: its driver, GPUs that come and go, and processes. */
final class MachineSteps {
    static final Set<String> VERBS = Set.of(
            "driver-unload",
            "driver-load",
            "driver-install",
            "gpu-remove",
            "gpu-return",
            "process-start",
            "process-stop",
            "reboot");
    static final Set<String> NEED_GPU = Set.of("gpu-remove", "gpu-return", "process-start", "process-stop");

    private final StepKeys arguments;
    private final int gpus;

    /**
     * Reads one step.
     *
     * @param gpus how many GPUs the node has
     */
    MachineSteps(StepKeys arguments, int gpus) {
        this.arguments = arguments;
        this.gpus = gpus;
    }

    /**
     * What a step does.
     *
     * @param verb one of {@link #VERBS}
     * @param gpu the GPU that it names, by its place at the start
     */
    Consumer<SimulatedDriver> action(String verb, int gpu) {
        return switch (verb) {
            case "driver-unload" -> driver -> driver.life().unload();
            case "driver-load" -> load();
            case "driver-install" -> install();
            case "gpu-remove" -> driver -> driver.gpu(gpu).remove();
            case "gpu-return" -> driver -> driver.gpu(gpu).comeBack();
            case "process-start" -> start(gpu);
            case "process-stop" -> {
                int pid = arguments.needed("pid", 1, Integer.MAX_VALUE);
                yield driver -> driver.gpu(gpu).stop(pid);
            }
            case "reboot" -> SimulatedDriver::reboot;
            default -> throw new IllegalArgumentException(verb);
        };
    }

    private Consumer<SimulatedDriver> load() {
        if (!arguments.has("finds")) {
            return driver -> driver.life().load();
        }
        int[] found = found(arguments.text("finds").orElse(""));
        return driver -> {
            driver.life().find(found);
            driver.life().load();
        };
    }

    private int[] found(String text) {
        List<Integer> places = new ArrayList<>();
        for (String word : text.strip().split(" +", -1)) {
            boolean isGpu = word.matches("[0-9]{1,2}") && Integer.parseInt(word) < gpus;
            if (!isGpu || places.contains(Integer.parseInt(word))) {
                arguments.mistake(
                        "finds",
                        text + " is not a list such as \"1 0\": each GPU once at most, from 0 to " + (gpus - 1));
                return new int[0];
            }
            places.add(Integer.parseInt(word));
        }
        return places.stream().mapToInt(Integer::intValue).toArray();
    }

    private Consumer<SimulatedDriver> install() {
        String version = arguments.text("version").orElse("");
        if (!SimProfile.isDriver(version)) {
            arguments.mistake(
                    "version",
                    (version.isEmpty() ? "version is missing" : "there is no simulated driver " + version)
                            + "; known are " + String.join(", ", SimProfile.drivers())
                            + ", and original for the one of the card");
        }
        return driver -> driver.life().install(version.equals("original") ? DriverLife.ORIGINAL : version);
    }

    private Consumer<SimulatedDriver> start(int gpu) {
        String type = arguments.text("type").orElse("compute");
        Map<String, SimulatedProcess.Kind> types = new TreeMap<>();
        for (SimulatedProcess.Kind kind : SimulatedProcess.Kind.values()) {
            types.put(kind.name().toLowerCase(Locale.ROOT).replace('_', '-'), kind);
        }
        if (!types.containsKey(type)) {
            arguments.mistake("type", type + " is none of " + String.join(", ", types.keySet()));
        }
        SimulatedProcess process = new SimulatedProcess(
                arguments.needed("pid", 1, Integer.MAX_VALUE),
                types.getOrDefault(type, SimulatedProcess.Kind.COMPUTE),
                (long) arguments.number("memory", 0, 1 << 30, 0) << 20,
                arguments.number("instance", 0, 255, SimulatedProcess.NO_INSTANCE),
                arguments.number("compute", 0, 255, SimulatedProcess.NO_INSTANCE));
        return driver -> driver.gpu(gpu).start(process);
    }
}
