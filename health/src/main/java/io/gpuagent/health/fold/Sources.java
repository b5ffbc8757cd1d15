// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

/** Names of the sources, as {@link io.gpuagent.model.health.SourceStatus} has them. */
public final class Sources {
    /** The kernel's log. */
    public static final String KERNEL_LOG = "kernel_log";
    /** Events from NVML. */
    public static final String NVML_EVENTS = "nvml_events";
    /** Readings through NVML. */
    public static final String NVML = "nvml";
    /** The store of incidents. */
    public static final String STORE = "store";

    private Sources() {}
}
