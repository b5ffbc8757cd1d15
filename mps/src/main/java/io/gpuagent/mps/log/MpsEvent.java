// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import io.gpuagent.model.ThreadPercentage;
import java.util.List;

/**
 * Something that a log tells. Pids are those of the daemon's or server's pid namespace. Where a record has a
 * {@code server}, it is the pid of the server that wrote the line, or that the daemon wrote about.
 */
public sealed interface MpsEvent {
    /**
     * The control daemon has started.
     *
     * @param pid its pid
     * @param socket where it listens
     */
    record DaemonStarted(long pid, String socket) implements MpsEvent {}

    /**
     * Which version the daemon is; the client program may be another one after an upgrade.
     *
     * @param version 1000 * major + 10 * minor of CUDA
     */
    record DaemonVersion(int version) implements MpsEvent {}

    /**
     * Somebody sent the daemon a command.
     *
     * @param command the command
     */
    record CommandReceived(String command) implements MpsEvent {}

    /**
     * A client wants in.
     *
     * @param pid the client; 0 when it is in another pid namespace
     * @param uid its user
     * @param pending whether it has to wait for a server: one that starts, or that of another user that must end first
     */
    record ClientConnecting(long pid, long uid, boolean pending) implements MpsEvent {}

    /**
     * A server is being started.
     *
     * @param server its pid
     * @param uid its user
     */
    record ServerStarting(long server, long uid) implements MpsEvent {}

    /**
     * A server takes clients.
     *
     * @param server its pid
     */
    record ServerReady(long server) implements MpsEvent {}

    /**
     * A server ends because it was told to; its exit comes next.
     *
     * @param server its pid
     */
    record ServerLeaving(long server) implements MpsEvent {}

    /**
     * A server has ended.
     *
     * @param server its pid
     * @param status its exit status; 0 when it was told to, and also after SIGKILL (captured on an H200), so without a
     *     {@link ServerLeaving} before it, it ended by itself
     */
    record ServerExited(long server, int status) implements MpsEvent {}

    /**
     * A server was told to end and waits for its clients.
     *
     * @param server its pid
     * @param workers how many threads still work for clients
     */
    record ServerStays(long server, int workers) implements MpsEvent {}

    /**
     * A server could not start.
     *
     * @param server its pid
     * @param reason CUDA's words
     */
    record ServerFailed(long server, String reason) implements MpsEvent {}

    /**
     * A server gives up; its clients fail.
     *
     * @param writer the pid that wrote the line
     */
    record FatalException(long writer) implements MpsEvent {}

    /**
     * A server has finished its start and says so in its own log.
     *
     * @param server its pid
     */
    record ServerStarted(long server) implements MpsEvent {}

    /**
     * A server made or destroyed its context on a device; it does both after a fault.
     *
     * @param server its pid
     * @param device ordinal in the daemon's CUDA_VISIBLE_DEVICES
     * @param created false when it was destroyed
     */
    record ServerContext(long server, int device, boolean created) implements MpsEvent {}

    /**
     * The server's share of threads.
     *
     * @param server its pid
     * @param threads the share, to a tenth of a percent
     */
    record ThreadsSet(long server, ThreadPercentage threads) implements MpsEvent {}

    /**
     * A limit of memory took: the best proof there is.
     *
     * @param server its pid
     * @param device ordinal in the daemon's CUDA_VISIBLE_DEVICES
     * @param bytes the limit in bytes
     */
    record LimitSet(long server, int device, long bytes) implements MpsEvent {}

    /**
     * The server's priority.
     *
     * @param server its pid
     * @param priority 0 normal, 1 below normal
     */
    record PrioritySet(long server, int priority) implements MpsEvent {}

    /**
     * A client is in. It comes with a context of number 0, which is its connection alone and takes no place, and then
     * with one of number 1 for its first CUDA context. These are not the numbers that {@code ps} prints.
     *
     * @param server its server's pid
     * @param pid the client
     * @param contextId the number of its context, counted for each client
     */
    record ClientConnected(long server, long pid, long contextId) implements MpsEvent {}

    /**
     * A context of a client is gone; the client's last words are {@link ClientGone}.
     *
     * @param server its server's pid
     * @param pid the client
     * @param contextId the number of its context, counted for each client
     */
    record ClientExited(long server, long pid, long contextId) implements MpsEvent {}

    /**
     * A client's process has gone, whether it ended by itself or was killed, with all its contexts.
     *
     * @param server its server's pid
     * @param pid the client
     */
    record ClientGone(long server, long pid) implements MpsEvent {}

    /**
     * A client is gone, and this many contexts are left.
     *
     * @param server the server's pid
     * @param left contexts on all its devices
     */
    record ContextsLeft(long server, int left) implements MpsEvent {}

    /**
     * A server says of a client during a fault whether it is still there.
     *
     * @param server its pid
     * @param pid the client
     * @param contextId the number the server gave it
     * @param active whether it has not exited
     */
    record ClientStatus(long server, long pid, long contextId, boolean active) implements MpsEvent {}

    /**
     * A fatal GPU error: the server is in FAULT until all affected clients have exited.
     *
     * @param server its pid
     */
    record GpuFaultBegun(long server) implements MpsEvent {}

    /**
     * Whom a fatal GPU error affects.
     *
     * @param server its pid
     * @param devices ordinals in the daemon's CUDA_VISIBLE_DEVICES
     * @param clients pids of those that must exit
     */
    record GpuFault(long server, List<Integer> devices, List<Long> clients) implements MpsEvent {
        /** Takes copies. */
        public GpuFault {
            devices = List.copyOf(devices);
            clients = List.copyOf(clients);
        }
    }

    /**
     * What is written all the time and means nothing alone, {@code Receive command failed, assuming client exit} too.
     *
     * @param message the message
     */
    record Noise(String message) implements MpsEvent {}

    /**
     * A line that is not known.
     *
     * @param message the message
     */
    record Unknown(String message) implements MpsEvent {}
}
