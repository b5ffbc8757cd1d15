// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * What goes wrong, and when: the steps of a YAML file, such as
 *
 * <pre>{@code
 * - {at: 0s, do: missing, function: nvmlDeviceGetMemoryInfo_v2}      # the library does not have it
 * - {at: 10s, gpu: 1, do: hang, function: nvmlDeviceGetPowerUsage}   # without function: every one
 * - {at: 40s, gpu: 1, do: release}                                   # of hangs and delays
 * - {at: 50s, gpu: 1, do: delay, function: nvmlDeviceGetName, for: 46s, nth: 3}
 * - {at: 55s, gpu: 1, do: garbage, with: ones, every: 5}             # or random, counts, or a number
 * - {at: 1m, gpu: 2, do: set, utilization: 95, temperature: 91, uncorrected-errors: 2}
 * - {at: 90s, gpu: 3, do: answer, code: 15, times: 2}                # then as before
 * - {at: 2m, gpu: 3, do: heal}                                       # ends all faults, and what was set
 * - {at: 2m, gpu: 1, do: reset-counters}                             # those since driver load
 * - {at: 2m, gpu: 1, do: xid, code: 94, instance: 2, compute: 0}   # raises the event; without instance: the whole GPU
 * - {at: 2m, gpu: 1, do: event, type: 0x4000}                       # any other nvmlEventType
 * - {at: 2m, gpu: 0, do: mig-mode, on: 1}                           # what another tool does to MIG
 * - {at: 2m, gpu: 0, do: mig-create, profile: 3g.71gb, start: 4}
 * - {at: 5m, gpu: 0, do: mig-destroy, instance: 2}
 * - {at: 2m, gpu: 0, do: process-start, pid: 5900000, type: mps, memory: 4096}   # MiB; also instance: and compute:
 * - {at: 3m, gpu: 0, do: process-stop, pid: 5900000}   # types: compute, graphics, mps, mps-server
 * - {at: 3m, gpu: 5, do: gpu-remove}                                # out of the machine; NVML numbers the others anew
 * - {at: 4m, gpu: 5, do: gpu-return}
 * - {at: 5m, do: driver-install, version: 535}                      # on disk; original: the card's own
 * - {at: 5m, do: driver-unload}
 * - {at: 6m, do: driver-load, finds: 1 0}                           # which GPUs, in which order; without: as before
 * - {at: 7m, do: reboot}
 * - {at: 3m, do: answer, function: nvmlInit_v2, code: 18, times: 3}  # without gpu: the whole node
 * }</pre>
 *
 * <p>{@code nth: 3} meets the third call after the step alone, {@code every: 3} the third, sixth and so on, {@code times}
 * says after how many a fault is over; all of these together, too. docs/scenarios.md has every step.
 *
 * <p>GPUs are named by their places at the start, whatever NVML numbers them later.
 */
public final class Scenario {
    /** The names of the scenarios that are shipped. */
    public static final List<String> SHIPPED = List.of("mig-busy");

    private static final int MOST_MEBIBYTES = 1;

    private final List<Step> steps;

    /**
     * One step.
     *
     * @param atNanos when, counted from the start of the driver
     * @param action what happens
     */
    record Step(long atNanos, Consumer<SimulatedDriver> action) {}

    private Scenario(List<Step> steps) {
        this.steps =
                steps.stream().sorted(Comparator.comparingLong(Step::atNanos)).toList();
    }

    /**
     * Reads a scenario.
     *
     * @param file a YAML file
     * @param gpus how many GPUs the node has
     * @return the scenario
     * @throws IOException when the file is not there or cannot be read
     * @throws ScenarioException when it is not a regular file of at most 1 MiB, or something in it cannot be understood
     */
    public static Scenario read(Path file, int gpus) throws IOException {
        Path name = file.getFileName();
        return parse(name == null ? file.toString() : name.toString(), text(file), gpus);
    }

    /**
     * Reads one of the scenarios that are shipped.
     *
     * @param name one of {@link #SHIPPED}
     * @param gpus how many GPUs the node has
     * @return the scenario
     * @throws ScenarioException when there is none of this name
     */
    public static Scenario shipped(String name, int gpus) {
        if (!SHIPPED.contains(name)) {
            throw new ScenarioException(List.of("there is no scenario file " + name
                    + ", and none of this name is shipped; shipped are " + String.join(", ", SHIPPED)));
        }
        String resource = "scenario-" + name + ".yaml";
        try (InputStream in = Scenario.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("this build lacks " + resource);
            }
            return parse(name, new String(in.readAllBytes(), StandardCharsets.UTF_8), gpus);
        } catch (IOException e) {
            throw new IllegalStateException("this build holds a damaged " + resource, e);
        }
    }

    private static String text(Path file) throws IOException {
        try {
            return new InputFile(file, MOST_MEBIBYTES).text();
        } catch (IllegalArgumentException e) {
            throw new ScenarioException(List.of(String.valueOf(e.getMessage())));
        }
    }

    /**
     * Reads a scenario from a text.
     *
     * @param name how mistakes name it
     * @param yaml the text
     * @param gpus how many GPUs the node has
     * @return the scenario
     * @throws ScenarioException when something in it cannot be understood
     */
    public static Scenario parse(String name, String yaml, int gpus) {
        return new Scenario(new ScenarioReader(name, gpus).read(yaml));
    }

    List<Step> steps() {
        return steps;
    }
}
