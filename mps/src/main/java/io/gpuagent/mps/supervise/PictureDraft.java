// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsCounters;
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

/** The next picture while it is made: one for each observation. */
final class PictureDraft {
    private static final Duration FAILURE_WINDOW = Duration.ofMinutes(1);
    // A log can be written by anyone who gets to it; what is kept of it has a bound.
    private static final int MOST = 4096;
    private static final int MOST_LOST = 64;

    private Optional<ProcessIdentity> daemon;
    private Optional<Instant> startedAt;
    private boolean starting;
    private boolean draining;
    private boolean givenUp;
    private final SortedMap<Long, ServerPicture> servers;
    private final SortedMap<Long, ClientPicture> clients;
    private final List<MpsPendingView> pending;
    private final List<Instant> failures;
    private final List<Instant> deaths;
    private Optional<String> words;
    private Optional<Instant> silentSince;
    private Optional<String> dirty;
    private List<Long> orphans;
    private Optional<Share> inForce;
    private Optional<Instant> inForceAt;
    private Optional<String> mismatch;
    private Optional<Instant> lastGood;
    private final List<Long> lost;
    private MpsCounters counters;

    PictureDraft(DaemonPicture from) {
        daemon = from.daemon();
        startedAt = from.startedAt();
        starting = from.starting();
        draining = from.draining();
        givenUp = from.givenUp();
        servers = new TreeMap<>(from.servers());
        clients = new TreeMap<>(from.clients());
        pending = new ArrayList<>(from.pending());
        failures = new ArrayList<>(from.failures());
        deaths = new ArrayList<>(from.deaths());
        words = from.words();
        silentSince = from.silentSince();
        dirty = from.dirty();
        orphans = from.orphans();
        inForce = from.inForce();
        inForceAt = from.inForceAt();
        mismatch = from.mismatch();
        lastGood = from.lastGood();
        lost = new ArrayList<>(from.lost());
        counters = from.counters();
    }

    DaemonPicture picture() {
        return new DaemonPicture(
                daemon,
                startedAt,
                starting,
                draining,
                givenUp,
                servers,
                clients,
                pending,
                failures,
                deaths,
                words,
                silentSince,
                dirty,
                orphans,
                inForce,
                inForceAt,
                mismatch,
                lastGood,
                lost,
                counters);
    }

    void take(Observation observation) {
        Instant at = observation.at();
        switch (observation) {
            case Observation.Logged(var _, var event) -> log(at, event);
            case Observation.DaemonFound(var _, var process, var since) -> {
                daemon = Optional.of(process);
                startedAt = since;
                givenUp = false;
            }
            case Observation.Adopted _ -> counters = MpsCounters.NONE;
            case Observation.DaemonGone(var _, var unexpected) -> daemonGone(at, unexpected);
            case Observation.ProcessGone(var _, var pid) -> processGone(at, pid);
            case Observation.Listed(var _, var words, var processes) -> listed(words, processes);
            case Observation.DefaultsRead(var _, var share) -> {
                inForce = Optional.of(share);
                inForceAt = Optional.of(at);
            }
            case Observation.ServerRead(var _, var server, var share) -> onServer(server, one -> one.withShare(share));
            case Observation.Commanded(var _, var timedOut) -> commanded(at, timedOut);
            case Observation.Starting(var _, var begins) -> starting = begins;
            case Observation.Draining(var _, var begins) -> draining = begins;
            case Observation.Restarting _ -> count(1, 0, 0, 0, 0);
            case Observation.GivenUp(var _, var given) -> {
                givenUp = given;
                if (!given) {
                    deaths.clear();
                }
            }
            case Observation.Dirty(var _, var sentence) -> dirty = sentence;
            case Observation.Orphans(var _, var pids) -> orphans = pids;
            case Observation.Terminated _ -> count(0, 0, 0, 0, 1);
            case Observation.Mismatch(var _, var sentence) -> {
                mismatch = sentence;
                lastGood = sentence.isEmpty() ? Optional.of(at) : lastGood;
            }
        }
    }

    private void count(int restarts, int starts, int serverFailures, int faults, int terminated) {
        counters = new MpsCounters(
                counters.restarts() + restarts,
                counters.serverStarts() + starts,
                counters.serverFailures() + serverFailures,
                counters.faults() + faults,
                counters.terminatedClients() + terminated,
                counters.commands(),
                counters.commandTimeouts());
    }

    private void commanded(Instant at, boolean timedOut) {
        counters = new MpsCounters(
                counters.restarts(),
                counters.serverStarts(),
                counters.serverFailures(),
                counters.faults(),
                counters.terminatedClients(),
                counters.commands() + 1,
                counters.commandTimeouts() + (timedOut ? 1 : 0));
        silentSince = timedOut ? silentSince.or(() -> Optional.of(at)) : Optional.empty();
    }

    private void daemonGone(Instant at, boolean unexpected) {
        daemon = Optional.empty();
        startedAt = Optional.empty();
        silentSince = Optional.empty();
        inForce = Optional.empty();
        inForceAt = Optional.empty();
        mismatch = Optional.empty();
        forgetServers();
        if (unexpected) {
            deaths.removeIf(death -> !death.plus(RestartPolicy.WINDOW).isAfter(at));
            deaths.add(at);
        }
    }

    private void forgetServers() {
        servers.clear();
        clients.clear();
        pending.clear();
        failures.clear();
        lost.clear();
    }

    private void processGone(Instant at, long pid) {
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
        count(0, 0, 1, 0, 0);
    }

    private void removeServer(long pid) {
        servers.remove(pid);
        clients.values().removeIf(client -> client.server() == pid);
    }

    private void clientGone(long pid) {
        ClientPicture client = clients.remove(pid);
        if (client != null) {
            onServer(client.server(), server -> server.without(pid));
        }
    }

    private void onServer(long pid, UnaryOperator<ServerPicture> change) {
        servers.computeIfPresent(pid, (_, server) -> change.apply(server));
    }

    /** A list is the daemon's own word: it corrects what the logs told. */
    private void listed(Map<Long, String> listedServers, List<ClientProcess> processes) {
        for (Long gone : List.copyOf(servers.keySet())) {
            if (!listedServers.containsKey(gone)) {
                removeServer(gone);
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

    private void log(Instant at, MpsEvent event) {
        switch (event) {
            case MpsEvent.DaemonStarted _ -> forgetServers();
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
            case MpsEvent.ServerStarted(var server) -> onServer(server, PictureDraft::active);
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
            case MpsEvent.GpuFault(var server, var _, var affected) -> fault(server, affected);
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
        count(0, 1, 0, 0, 0);
        servers.putIfAbsent(pid, ServerPicture.unknown(pid, ServerPicture.INITIALIZING));
        onServer(pid, PictureDraft::active);
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
            count(0, 0, 0, 1, 0);
        }
        onServer(server, one -> one.faulty(affected));
    }
}
