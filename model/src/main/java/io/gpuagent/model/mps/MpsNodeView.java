// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import java.time.Instant;
import java.util.List;

/**
 * All of MPS on this node at one moment.
 *
 * @param generation counts up with each view of this process
 * @param takenAt when it was made
 * @param daemons our daemons by id
 * @param foreign daemons of others by pid
 * @param bypasses processes that go past a managed daemon
 * @param loads the devices with a managed daemon
 * @param reasons what somebody should know of devices that no daemon serves
 * @param limits what this install cannot do or see, and why: one sentence each
 */
public record MpsNodeView(
        long generation,
        Instant takenAt,
        List<MpsDaemonView> daemons,
        List<ForeignMpsDaemon> foreign,
        List<MpsBypass> bypasses,
        List<MpsDeviceLoad> loads,
        List<MpsReason> reasons,
        List<String> limits) {
    /** Takes copies of the lists. */
    public MpsNodeView {
        daemons = List.copyOf(daemons);
        foreign = List.copyOf(foreign);
        bypasses = List.copyOf(bypasses);
        loads = List.copyOf(loads);
        reasons = List.copyOf(reasons);
        limits = List.copyOf(limits);
    }

    /**
     * The same view with something to know beside it.
     *
     * @param others in place of {@link #reasons}
     * @return the view
     */
    public MpsNodeView withReasons(List<MpsReason> others) {
        return new MpsNodeView(generation, takenAt, daemons, foreign, bypasses, loads, others, limits);
    }
}
