// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.time.Instant;
import java.util.List;

/**
 * The node as it was at one moment; everything served comes from one of these, never from a call to the driver.
 *
 * @param generation counts up with each snapshot of this process
 * @param takenAtNanos when it was made, by {@link io.gpuagent.model.time.Clock#nanos()}
 * @param takenAt when it was made, by the time of day
 * @param driver whether there is a driver
 * @param gpus the GPUs by index
 * @param agent what the agent tells of itself
 */
public record NodeSnapshot(
        long generation,
        long takenAtNanos,
        Instant takenAt,
        DriverState driver,
        List<GpuSnapshot> gpus,
        AgentFigures agent) {
    /** Takes a copy of the list. */
    public NodeSnapshot {
        gpus = List.copyOf(gpus);
    }
}
