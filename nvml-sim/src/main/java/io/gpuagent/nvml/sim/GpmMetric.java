// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A metric that moves with the load; the short names are those of a real H200. How much of the work is of which kind is
 * made up: half precision on the tensor cores, some single precision beside it.
 *
 * @param id its number (nvml.h, NVML_GPM_METRIC_*)
 * @param name its short name
 * @param unit its unit
 * @param perGpuPercent how much of it each percent of utilization is
 * @param perMemoryPercent how much of it each percent of the memory's is
 */
record GpmMetric(int id, String name, String unit, double perGpuPercent, double perMemoryPercent) {
    private static final Map<Integer, GpmMetric> MOVING = List.of(
                    new GpmMetric(1, "gract", "%", 1, 0),
                    new GpmMetric(2, "smutil", "%", 0.95, 0),
                    new GpmMetric(3, "smocc", "%", 0.5, 0),
                    new GpmMetric(4, "intutil", "%", 0.2, 0),
                    new GpmMetric(5, "mmaact", "%", 0.6, 0),
                    new GpmMetric(6, "dfmat", "%", 0, 0),
                    new GpmMetric(7, "hmmat", "%", 0.6, 0),
                    new GpmMetric(9, "immat", "%", 0, 0),
                    new GpmMetric(10, "dram", "%", 0, 1),
                    new GpmMetric(11, "fp64", "%", 0, 0),
                    new GpmMetric(12, "fp32", "%", 0.3, 0),
                    new GpmMetric(13, "fp16", "%", 0.1, 0),
                    new GpmMetric(20, "pcitx", "MiB/s", 20, 0),
                    new GpmMetric(21, "pcirx", "MiB/s", 40, 0),
                    new GpmMetric(60, "nvlrx", "MiB/s", 0, 0),
                    new GpmMetric(61, "nvltx", "MiB/s", 0, 0))
            .stream()
            .collect(Collectors.toMap(GpmMetric::id, Function.identity()));

    /** Ranges of ids that nvml.h names and that are 0 here, such as those of decoders and of C2C links. */
    private static final int[][] STILL = {{30, 37}, {40, 47}, {50, 51}, {62, 97}, {100, 209}};

    static Optional<GpmMetric> of(int id) {
        return Optional.ofNullable(MOVING.get(id));
    }

    static boolean isStill(int id) {
        for (int[] range : STILL) {
            if (id >= range[0] && id <= range[1]) {
                return true;
            }
        }
        return false;
    }

    double value(double gpuPercent, double memoryPercent) {
        return gpuPercent * perGpuPercent + memoryPercent * perMemoryPercent;
    }
}
