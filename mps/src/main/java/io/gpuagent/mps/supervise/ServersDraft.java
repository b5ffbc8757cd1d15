// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.mps.control.ClientProcess;
import io.gpuagent.mps.log.MpsEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Servers, their clients and those that wait, while the next picture is made: what logs, lists and /proc tell of them. */
final class ServersDraft {
    private static final Duration FAILURE_WINDOW = Duration.ofMinutes(1);
    // A log can be written by anyone who gets to it; what is kept of it has a bound.
    private static final int MOST = 4096;
    private static final int MOST_LOST = 64;

    final SortedMap<Long, ServerPicture> servers;
    final SortedMap<Long, ClientPicture> clients;
    final List<MpsPendingView> pending;
    final List<Instant> failures;
    final List<Long> lost;
    final List<Long> unlisted;
    private final CountersDraft counters;
    private Optional<String> words;

    ServersDraft(DaemonPicture from, CountersDraft counters) {
        servers = new TreeMap<>(from.servers());
        clients = new TreeMap<>(from.clients());
        pending = new ArrayList<>(from.pending());
        failures = new ArrayList<>(from.failures());
        lost = new ArrayList<>(from.lost());
        unlisted = new ArrayList<>(from.unlisted());
        words = from.words();
        this.counters = counters;
    }

    Optional<String> words() {
        return words;
    }

    /** With their daemon, all of them have gone. */
    void forget() {
        servers.clear();
        clients.clear();
        pending.clear();
        failures.clear();
        lost.clear();
        unlisted.clear();
    }

    void processGone(Instant at, long pid) {
        if (servers.containsKey(pid)) {
            removeServer(pid);
            lost.add(pid);
            if (lost.size() > MOST_LOST) {
                lost.removeFirst();
            }
            failed(at);
        }
        clientGone(pid);
        pending.removeIf(one -> one.pid() == pid);
    }

    private void failed(Instant at) {
        failures.removeIf(failure -> !failure.plus(FAILURE_WINDOW).isAfter(at));
        if (failures.size() < MOST) {
            failures.add(at);
        }
        counters.serverFailed();
    }

    private void removeServer(long pid) {
        servers.remove(pid);
        unlisted.remove(pid);
        clients.values().removeIf(client -> client.server() == pid);
    }

    private void clientGone(long pid) {
        ClientPicture client = clients.remove(pid);
        if (client != null) {
            onServer(client.server(), server -> server.without(pid));
        }
    }

    void onServer(long pid, UnaryOperator<ServerPicture> change) {
        servers.computeIfPresent(pid, (_, server) -> change.apply(server));
    }

    /** A list is the daemon's own word: it corrects what the logs told. */
    void listed(Map<Long, String> listedServers, List<ClientProcess> processes) {
        // The log or /proc tell how a server ended; it is taken out by a list where neither has by the next one.
        List<Long> missed = List.copyOf(unlisted);
        unlisted.clear();
        for (Long gone : List.copyOf(servers.keySet())) {
            if (!listedServers.containsKey(gone)) {
                if (missed.contains(gone)) {
                    removeServer(gone);
                } else {
                    unlisted.add(gone);
                }
            }
        }
        listedServers.forEach((pid, word) ->
                servers.merge(pid, ServerPicture.unknown(pid, word), (known, _) -> known.withWord(word)));
        Map<Long, List<ClientProcess>> rows = processes.stream().collect(Collectors.groupingBy(ClientProcess::pid));
        for (Long pid : List.copyOf(clients.keySet())) {
            if (!rows.containsKey(pid)) {
                clientGone(pid);
            }
        }
        rows.forEach((pid, contexts) -> {
            ClientProcess first = contexts.getFirst();
            ClientPicture known = clients.get(pid);
            clients.put(
                    pid,
                    (known == null || known.server() != first.server() ? ClientPicture.of(pid, first.server()) : known)
                            .listed(
                                    contexts.size(),
                                    contexts.stream().map(ClientProcess::device).collect(Collectors.toSet()),
                                    first.command()));
        });
    }

    void log(Instant at, MpsEvent event) {
        switch (event) {
            case MpsEvent.DaemonStarted _ -> forget();
            case MpsEvent.ClientConnecting(var pid, var uid, var waits) -> {
                pending.removeIf(one -> one.uid() == uid && one.pid() == pid);
                if (waits && pending.size() < MOST) {
                    pending.add(new MpsPendingView(uid, pid, at));
                }
            }
            case MpsEvent.ServerStarting(var server, var uid) -> {
                if (servers.size() < MOST) {
                    servers.put(server, ServerPicture.starting(server, uid, at));
                }
            }
            case MpsEvent.ServerReady(var server) -> ready(server);
            case MpsEvent.ServerStarted(var server) -> onServer(server, ServersDraft::active);
            case MpsEvent.ServerLeaving(var server) -> onServer(server, ServerPicture::toldToGo);
            case MpsEvent.ServerExited(var server, var status) -> exited(at, server, status);
            case MpsEvent.ClientGone(var _, var pid) -> clientGone(pid);
            case MpsEvent.ServerFailed(var _, var reason) -> words = Optional.of(reason);
            case MpsEvent.ClientConnected(var server, var pid, var context) -> connected(at, server, pid, context);
            case MpsEvent.ClientExited(var _, var pid, var context) -> left(pid, context);
            case MpsEvent.ContextsLeft(var server, var left) -> {
                if (left == 0) {
                    clientsOf(server).forEach(this::clientGone);
                }
            }
            case MpsEvent.ClientStatus(var server, var pid, var _, var alive) -> {
                if (!alive) {
                    onServer(server, one -> one.without(pid));
                }
            }
            case MpsEvent.GpuFaultBegun(var server) -> fault(server, clientsOf(server));
            case MpsEvent.GpuFault(var server, var _, var affected) -> {
                // Its list may end behind the end of its server, which must not come back to life by that.
                if (servers.containsKey(server)) {
                    fault(server, affected);
                }
            }
            case MpsEvent.ServerContext(var server, var _, var created) ->
                onServer(server, one -> one.context(created));
            case MpsEvent.LimitSet(var server, var _, var _) -> onServer(server, one -> one.logged(true));
            case MpsEvent.PrioritySet(var server, var _) -> onServer(server, one -> one.logged(false));
            case MpsEvent.DaemonVersion _,
                    MpsEvent.CommandReceived _,
                    MpsEvent.ServerStays _,
                    MpsEvent.FatalException _,
                    MpsEvent.ThreadsSet _,
                    MpsEvent.Noise _,
                    MpsEvent.Unknown _ -> {}
        }
    }

    private List<Long> clientsOf(long server) {
        return clients.values().stream()
                .filter(client -> client.server() == server)
                .map(ClientPicture::pid)
                .toList();
    }

    private static ServerPicture active(ServerPicture server) {
        return server.is(ServerPicture.INITIALIZING) ? server.withWord(ServerPicture.ACTIVE) : server;
    }

    private void ready(long pid) {
        counters.serverStarted();
        servers.putIfAbsent(pid, ServerPicture.unknown(pid, ServerPicture.INITIALIZING));
        onServer(pid, ServersDraft::active);
        ServerPicture server = servers.get(pid);
        pending.removeIf(
                one -> server == null || server.uid().isEmpty() || server.uid().getAsLong() == one.uid());
        words = Optional.empty();
    }

    /** The status of one that SIGKILL ended is 0, too (captured on an H200). */
    private void exited(Instant at, long pid, int status) {
        ServerPicture server = servers.get(pid);
        boolean failure = status != 0 || (server != null && !server.leaving());
        removeServer(pid);
        if (!lost.remove(pid) && failure) {
            failed(at);
        }
    }

    private void connected(Instant at, long server, long pid, long context) {
        pending.removeIf(one -> one.pid() == pid);
        if (clients.size() < MOST) {
            servers.putIfAbsent(server, ServerPicture.unknown(server, ServerPicture.ACTIVE));
            clients.merge(
                    pid,
                    ClientPicture.of(pid, server).connected(at, context),
                    (known, fresh) -> known.server() == server ? known.connected(at, context) : fresh);
        }
    }

    private void left(long pid, long context) {
        ClientPicture client = clients.get(pid);
        if (client != null) {
            ClientPicture rest = client.left(context);
            if (rest.contexts().isEmpty()) {
                clientGone(pid);
            } else {
                clients.put(pid, rest);
            }
        }
    }

    /** It is told in two events: that there is one, which can be anyone's, and then whom it affects. */
    private void fault(long server, List<Long> affected) {
        servers.putIfAbsent(server, ServerPicture.unknown(server, ServerPicture.ACTIVE));
        ServerPicture known = servers.get(server);
        if (known != null && !known.is(ServerPicture.FAULT)) {
            counters.faulted();
        }
        onServer(server, one -> one.faulty(affected));
    }
}
