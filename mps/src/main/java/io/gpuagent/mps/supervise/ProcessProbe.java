// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.mps.log.DaemonLog;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Looks at the processes of a daemon, its servers and its clients. A look at one takes some microseconds. */
final class ProcessProbe {
    private static final Duration BOOT_TIME_ERROR = Duration.ofSeconds(2);

    private final LiveDaemon daemon;
    // What was looked at once; empty where /proc does not show it, as of clients in other pid namespaces.
    private final Map<Long, Optional<ProcessIdentity>> known = new HashMap<>();

    ProcessProbe(LiveDaemon daemon) {
        this.daemon = daemon;
    }

    private ProcessTable table() {
        return daemon.setup.ports().processes();
    }

    /** Whether the daemon, which ran at the last look, has gone. */
    boolean daemonHasGone() {
        Optional<ProcessIdentity> process = daemon.picture().daemon();
        return process.isPresent() && !table().isAlive(process.get());
    }

    /** Looks for a daemon that somebody has started, and follows its logs; whether there is one. */
    boolean adopt() {
        Optional<ProcessIdentity> process = daemon.launcher().running(daemon.launch());
        if (process.isEmpty()) {
            return false;
        }
        daemon.see(new Observation.DaemonFound(daemon.now(), process.get(), table().startedAt(process.get())));
        if (daemon.log().isEmpty()) {
            daemon.follow(DaemonLog.fromStart(daemon.place.folders(), daemon.setup.clock()));
            new LogReading(daemon).read();
            daemon.see(new Observation.Adopted(daemon.now()));
        }
        return true;
    }

    /** Takes those out of the picture whose processes have gone. */
    void lookAtProcesses() {
        DaemonPicture picture = daemon.picture();
        Set<Long> pids = new HashSet<>(picture.servers().keySet());
        pids.addAll(picture.clients().keySet());
        Set<Long> waiting = picture.pending().stream()
                .map(MpsPendingView::pid)
                .filter(pid -> pid != 0)
                .collect(Collectors.toSet());
        pids.addAll(waiting);
        // Where not even process 1 is shown, /proc hides those of other users (hidepid in proc(5)).
        boolean seesAll = !waiting.isEmpty() && table().identity(1).isPresent();
        known.keySet().retainAll(pids);
        for (long pid : pids) {
            Optional<ProcessIdentity> process = known.computeIfAbsent(pid, table()::identity);
            // One that waits ends without a word in the log; of clients, the log and the daemon's list tell.
            boolean hidden = process.isEmpty() && !(waiting.contains(pid) && seesAll);
            if (!hidden && process.filter(table()::isAlive).isEmpty()) {
                daemon.see(new Observation.ProcessGone(daemon.now(), pid));
            }
        }
        Set<Long> clients = daemon.picture().clients().keySet();
        daemon.facts.keySet().retainAll(clients);
        List<Long> fresh =
                clients.stream().filter(pid -> !daemon.facts.containsKey(pid)).toList();
        if (!fresh.isEmpty()) {
            daemon.facts.putAll(ClientFacts.lookUp(daemon.setup.ports(), daemon.spec(), fresh));
        }
    }

    /**
     * The processes of the clients, as far as they are known without doubt: the same since it was first looked at, and not
     * started after the client had come, as a later owner of its pid would be.
     */
    List<ProcessIdentity> clientProcesses() {
        long own = ProcessHandle.current().pid();
        return daemon.picture().clients().values().stream()
                .filter(client -> client.pid() > 1 && client.pid() != own)
                .flatMap(client -> known.getOrDefault(client.pid(), Optional.empty()).stream()
                        .filter(table()::isAlive)
                        .filter(process -> cameBefore(process, client)))
                .toList();
    }

    private boolean cameBefore(ProcessIdentity process, ClientPicture client) {
        Optional<Instant> started = table().startedAt(process);
        return started.isEmpty()
                || client.connectedAt().isEmpty()
                // The kernel counts starts in ticks of 10 ms from a boot time in whole seconds.
                || !started.get().isAfter(client.connectedAt().get().plus(BOOT_TIME_ERROR));
    }

    /** Servers that live without their daemon; a look at all of /proc. */
    List<ProcessIdentity> lookForOrphans() {
        List<ProcessIdentity> servers = table().serversOf(daemon.place.folders().pipe());
        daemon.see(new Observation.Orphans(
                daemon.now(), servers.stream().map(ProcessIdentity::pid).toList()));
        return servers;
    }

    /** Somebody else's daemon in our folder. */
    Optional<String> stranger() {
        List<Long> pids = table().daemonsOf(daemon.place.folders().pipe()).stream()
                .map(ProcessIdentity::pid)
                .toList();
        return pids.isEmpty()
                ? Optional.empty()
                : Optional.of("the control daemon " + pids + " runs in "
                        + daemon.place.folders().pipe().path() + " and was not started by this agent: end it first");
    }
}
