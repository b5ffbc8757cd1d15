// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.Locale;

/** A clock of a GPU, in the order of {@code nvmlClockType_t}. */
public enum ClockDomain {
    /** Graphics. */
    GRAPHICS,
    /** Streaming multiprocessors. */
    SM,
    /** Memory. */
    MEMORY,
    /** Video encoder and decoder. */
    VIDEO;

    /**
     * The name as a label value.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
