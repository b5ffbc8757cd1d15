// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Locale;

/** Who said that something is the matter. */
public enum HealthSource {
    /** A line of the kernel's log. */
    KMSG,
    /** A line of the kernel's log before the last restart, out of the journal. */
    JOURNAL,
    /** An event that NVML delivered. */
    NVML_EVENT,
    /** A value that was read from the GPU through NVML. */
    NVML_POLL,
    /** Linux: the PCI bus, files of the driver, units. */
    HOST,
    /** The agent about itself. */
    AGENT;

    /**
     * The name in JSON.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
