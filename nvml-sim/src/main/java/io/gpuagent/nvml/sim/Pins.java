// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
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
}
