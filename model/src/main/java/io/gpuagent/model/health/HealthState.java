// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Locale;

/** How a GPU or the node is, from well to gone; the worse of two is the later one. */
public enum HealthState {
    /** Well, as far as every source says, and the sources speak. */
    OK,
    /** Something happened that the GPU itself is none the worse for, such as a fault of one program. */
    WARN,
    /** Nobody knows: it was not read, or what would tell is missing. Neither well nor ill. */
    UNKNOWN,
    /** Usable, and something should be done soon. */
    DEGRADED,
    /** No new work should be placed on it. */
    CRITICAL,
    /** A call of the driver has not come back within its deadline. */
    UNRESPONSIVE,
    /** It has left the bus. */
    LOST;

    /**
     * The name as a label value and in JSON.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether new work may be placed there.
     *
     * @return true for {@link #OK}, {@link #WARN} and {@link #DEGRADED}; what nobody knows is no place for work
     */
    public boolean schedulable() {
        return this == OK || this == WARN || this == DEGRADED;
    }

    /**
     * The worse of two.
     *
     * @param other the other one
     * @return the later of both in the order of declaration
     */
    public HealthState worse(HealthState other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
