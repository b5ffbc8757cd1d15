// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Locale;

/** What helps, from the least to the most; the stronger of two is the later one. */
public enum HealthAction {
    /** Nothing needs to be done, or nothing is known that would help. */
    NONE,
    /** Start the program again that was hit. */
    RESTART_APP,
    /** Install another driver or firmware. */
    UPDATE_SW,
    /** Let the work on the GPU end, then reset it. */
    DRAIN_AND_RESET,
    /** Restart the machine. */
    REBOOT,
    /** Look at cables, seating, cooling and power. */
    INSPECT_HW,
    /** Run the vendor's diagnosis; the board may have to be exchanged. */
    RMA_CHECK;

    /**
     * The name as a label value and in JSON.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The stronger of two.
     *
     * @param other the other one
     * @return the later of both in the order of declaration
     */
    public HealthAction stronger(HealthAction other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /**
     * Whether carrying it out ends the work of everybody on the GPU, its MIG instances included.
     *
     * @return true from {@link #DRAIN_AND_RESET} on
     */
    public boolean reachesWholeGpu() {
        return compareTo(DRAIN_AND_RESET) >= 0;
    }
}
