// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Locale;

/** A temperature at which a GPU does something, in the order of {@code nvmlTemperatureThresholds_t}. */
public enum TemperatureThreshold {
    /** The GPU shuts down to protect itself. */
    SHUTDOWN,
    /** The GPU slows its clocks down. */
    SLOWDOWN,
    /** The memory slows down above this. */
    MEMORY_MAX,
    /** The GPU may slow down above this. */
    GPU_MAX;

    /**
     * The name as a label value.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
