// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A client as far as it is known.
 *
 * @param pid its pid
 * @param server its server
 * @param connectedAt when it came; empty where only a list told of it
 * @param contexts the numbers of its contexts in the log; 0 is its connection alone
 * @param listed how many contexts a list told
 * @param devices beginnings of the UUIDs of its devices, where a list told them
 * @param command its name, where a list told it
 */
record ClientPicture(
        long pid,
        long server,
        Optional<Instant> connectedAt,
        Set<Long> contexts,
        int listed,
        Set<String> devices,
        Optional<String> command) {
    ClientPicture {
        contexts = Set.copyOf(contexts);
        devices = Set.copyOf(devices);
    }

    static ClientPicture of(long pid, long server) {
        return new ClientPicture(pid, server, Optional.empty(), Set.of(), 0, Set.of(), Optional.empty());
    }

    ClientPicture connected(Instant at, long context) {
        Set<Long> more = new TreeSet<>(contexts);
        more.add(context);
        return new ClientPicture(pid, server, connectedAt.or(() -> Optional.of(at)), more, listed, devices, command);
    }

    ClientPicture left(long context) {
        Set<Long> fewer = new TreeSet<>(contexts);
        fewer.remove(context);
        return new ClientPicture(pid, server, connectedAt, fewer, listed, devices, command);
    }

    ClientPicture listed(int count, Set<String> on, String name) {
        return new ClientPicture(pid, server, connectedAt, contexts, count, on, Optional.of(name));
    }

    /** How many contexts it has; the log knows better, but only where it told of its coming. */
    int count() {
        return connectedAt.isPresent()
                ? (int) contexts.stream().filter(context -> context != 0).count()
                : listed;
    }
}
