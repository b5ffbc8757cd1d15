// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mps;

import io.gpuagent.model.Share;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A control daemon that this agent started or adopted.
 *
 * @param id its id, which is its label in metrics: {@code gpu-5c3d1a2b}, {@code mig-0f6e2d41} or a group's name
 * @param devices UUIDs of the GPUs, or of the MIG device, that it serves; their order is that of its ordinals
 * @param state its state
 * @param detail one sentence on the state; empty where there is nothing to say
 * @param pid the control daemon's pid; empty where none runs
 * @param startedAt when it started; empty where none runs
 * @param pipe its pipe directory, which clients need
 * @param log its log directory
 * @param uid the user it runs as
 * @param multiUser whether one server serves all users, without isolation between them
 * @param exclusiveProcess whether its GPUs were set to EXCLUSIVE_PROCESS for it
 * @param wanted the share that new servers and clients are meant to get
 * @param inForce the daemon's defaults as read back; empty before the first reading
 * @param inForceAt when they were read back
 * @param servers its servers
 * @param clients the clients of all its servers
 * @param pending users that wait
 * @param clientSlots how many client contexts one of its GPUs has room for
 * @param counters what has happened
 * @param reasons what somebody should know, the worst first
 * @param drainingUntil when the wait for its clients is given up behind which it is stopped: no new client should be sent
 *     there; empty where it is not drained
 */
public record MpsDaemonView(
        String id,
        List<String> devices,
        MpsState state,
        Optional<String> detail,
        OptionalLong pid,
        Optional<Instant> startedAt,
        Path pipe,
        Path log,
        long uid,
        boolean multiUser,
        boolean exclusiveProcess,
        Share wanted,
        Optional<Share> inForce,
        Optional<Instant> inForceAt,
        List<MpsServerView> servers,
        List<MpsClientView> clients,
        List<MpsPendingView> pending,
        int clientSlots,
        MpsCounters counters,
        List<MpsReason> reasons,
        Optional<Instant> drainingUntil) {
    /** Takes copies of the lists. */
    public MpsDaemonView {
        devices = List.copyOf(devices);
        servers = List.copyOf(servers);
        clients = List.copyOf(clients);
        pending = List.copyOf(pending);
        reasons = List.copyOf(reasons);
    }

    /**
     * The same daemon with more to know.
     *
     * @param more further reasons, less bad than those there are
     * @return the view
     */
    public MpsDaemonView withReasons(List<MpsReason> more) {
        return more.isEmpty()
                ? this
                : new MpsDaemonView(
                        id,
                        devices,
                        state,
                        detail,
                        pid,
                        startedAt,
                        pipe,
                        log,
                        uid,
                        multiUser,
                        exclusiveProcess,
                        wanted,
                        inForce,
                        inForceAt,
                        servers,
                        clients,
                        pending,
                        clientSlots,
                        counters,
                        Stream.concat(reasons.stream(), more.stream()).toList(),
                        drainingUntil);
    }

    /**
     * How many clients are known to be on limits that no longer hold for new ones.
     *
     * @return the count
     */
    public long clientsOnOldLimits() {
        return clients.stream()
                .filter(client -> client.onOldLimits().orElse(false))
                .count();
    }
}
