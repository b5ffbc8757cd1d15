// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.function.ObjIntConsumer;

/**
 * What {@code do: set} of a scenario can set.
 *
 * @param key its name in the file
 * @param least the smallest value
 * @param most the largest value
 * @param setter sets it
 */
record ScenarioSetting(String key, int least, int most, ObjIntConsumer<SimulatedGpu> setter) {
    /** Percent, degrees Celsius, watts, MiB; errors are added to those there are. */
    static final List<ScenarioSetting> ALL = List.of(
            setting("utilization", 0, 100, (gpu, percent) -> gpu.setUtilization(percent, percent * 6 / 10)),
            setting("temperature", -40, 200, SimulatedGpu::setTemperature),
            setting("memory-temperature", -40, 200, SimulatedGpu::setMemoryTemperature),
            setting("power", 0, 100_000, (gpu, watts) -> gpu.setPower(watts * 1_000)),
            setting("memory-used", 0, 1 << 30, ScenarioSetting::setMemoryUsed),
            setting("clock-reasons", 0, Integer.MAX_VALUE, SimulatedGpu::setClockReasons),
            setting(
                    "corrected-errors",
                    0,
                    Integer.MAX_VALUE,
                    (gpu, n) -> gpu.state().addCorrectedErrors(n)),
            setting(
                    "uncorrected-errors",
                    0,
                    Integer.MAX_VALUE,
                    (gpu, n) -> gpu.state().addUncorrectedErrors(n)),
            // Rows replaced after uncorrectable errors, which wait for a reset.
            setting("rows-to-remap", 0, 512, (gpu, n) -> gpu.state().setRemappedRows(0, n, n > 0, false)),
            setting("recovery-action", 0, 4, (gpu, action) -> gpu.state().setRecoveryAction(action)));

    private static ScenarioSetting setting(String key, int least, int most, ObjIntConsumer<SimulatedGpu> setter) {
        return new ScenarioSetting(key, least, most, setter);
    }

    private static void setMemoryUsed(SimulatedGpu gpu, int mebibytes) {
        gpu.setMemoryUsed(Math.min((long) mebibytes << 20, gpu.card().hardware().memoryUsable()));
    }

    void apply(SimulatedGpu gpu, int value) {
        setter.accept(gpu, value);
    }
}
