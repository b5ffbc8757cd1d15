// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;

/**
 * All moving readings of a GPU in one simulated second; they fit together.
 *
 * @param gpuPercent utilization of the SMs, 0..100
 * @param memoryPercent utilization of the memory controller, 0..100
 * @param memoryUsed bytes in use, without what the driver keeps
 * @param powerMilliwatts draw
 * @param temperature of the die, degrees Celsius
 * @param memoryTemperature of the memory, degrees Celsius
 * @param graphicsMegahertz graphics and SM clock
 * @param memoryMegahertz memory clock
 * @param videoMegahertz video clock
 * @param reasons mask of nvmlClocksEventReason*
 * @param processes what runs
 */
record Sensors(
        int gpuPercent,
        int memoryPercent,
        long memoryUsed,
        int powerMilliwatts,
        int temperature,
        int memoryTemperature,
        int graphicsMegahertz,
        int memoryMegahertz,
        int videoMegahertz,
        long reasons,
        List<SimulatedProcess> processes) {}
