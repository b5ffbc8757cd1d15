// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Readings that belong together at one level of work.
 *
 * @param powerMilliwatts draw
 * @param temperature of the die, degrees Celsius
 * @param memoryTemperature of the memory, degrees Celsius
 * @param graphicsMegahertz graphics and SM clock
 * @param memoryMegahertz memory clock
 * @param videoMegahertz video clock
 */
record OperatingPoint(
        int powerMilliwatts,
        int temperature,
        int memoryTemperature,
        int graphicsMegahertz,
        int memoryMegahertz,
        int videoMegahertz) {
    static OperatingPoint parse(JsonTree tree) {
        return new OperatingPoint(
                tree.smallInteger("power-mw"),
                tree.smallInteger("temperature"),
                tree.smallInteger("memory-temperature"),
                tree.smallInteger("graphics-mhz"),
                tree.smallInteger("memory-mhz"),
                tree.smallInteger("video-mhz"));
    }
}
