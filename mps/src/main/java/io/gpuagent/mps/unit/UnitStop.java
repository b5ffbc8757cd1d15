// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessDetails;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.CommandObserver;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.ControlTransport;
import io.gpuagent.mps.control.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Stops the control daemon of a unit: lets its clients finish, tells it to quit, and waits until it and its servers have
 * gone. SIGTERM would break the clients at once (captured on an H200), and systemd kills what is left as soon as this
 * returns, so it must not return earlier. Whether {@code quit -t} waits for clients was never seen on hardware, and it
 * could not be called off for one that comes late, so the wait for clients is our own.
 */
public final class UnitStop {
    /** How long clients may take to finish. When the machine goes down, they are being stopped at the same time. */
    public static final Duration DRAIN = Duration.ofSeconds(30);

    private static final Duration GRACE = Duration.ofSeconds(5);
    // Servers leave about a second after they were told to (captured on an H200).
    private static final Duration LEAVING = Duration.ofSeconds(15);
    private static final Duration LOOK = Duration.ofMillis(100);
    // A look costs a command for each server, 75 ms each.
    private static final Duration ASK = Duration.ofSeconds(1);

    private final ControlTransport transport;
    private final HostView host;
    private final Clock clock;
    private final Consumer<String> progress;

    /**
     * What became of it.
     *
     * @param gone whether daemon and servers have gone
     * @param cutOff clients that were still there when it was told to quit
     */
    public record Outcome(boolean gone, List<Long> cutOff) {
        /** Takes a copy. */
        public Outcome {
            cutOff = List.copyOf(cutOff);
        }
    }

    /**
     * A stop.
     *
     * @param transport the way to the daemon
     * @param host where the processes are
     * @param clock the time
     * @param progress hears of each step
     */
    public UnitStop(ControlTransport transport, HostView host, Clock clock, Consumer<String> progress) {
        this.transport = transport;
        this.host = host;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * A stop of the unit in whose environment this process runs.
     *
     * @param host this machine and environment
     * @param clock the time
     * @param progress hears of each step
     * @return the stop
     * @throws MpsException when this is not the environment of such a unit
     */
    public static UnitStop ofEnvironment(HostView host, Clock clock, Consumer<String> progress) {
        return new UnitStop(
                UnitDaemon.transport(host, clock, "to stop a daemon by hand, use gpu-agent mps stop"),
                host,
                clock,
                progress);
    }

    /**
     * The unit's main process, as systemd tells it to the programs that stop it (systemd.exec(5), MAINPID).
     *
     * @param host this machine and environment
     * @return the daemon; empty where it has ended already
     */
    public static Optional<ProcessIdentity> mainProcess(HostView host) {
        String pid = host.environment().getOrDefault("MAINPID", "");
        return pid.matches("[1-9]\\d{0,9}") ? ProcessIdentity.of(host, Long.parseLong(pid)) : Optional.empty();
    }

    /**
     * Stops it. Takes the time for clients, and at most 50 s more.
     *
     * @param daemon the control daemon
     * @param drain how long clients may take to finish
     * @return what became of it
     * @throws InterruptedException when this thread is interrupted
     */
    public Outcome run(Optional<ProcessIdentity> daemon, Duration drain) throws InterruptedException {
        Answer<ControlClient> opened = ControlClient.open(transport, 1, CommandObserver.NONE, clock);
        Answer<List<Long>> servers = opened.then(ControlClient::servers);
        if (servers.refusal().equals(Optional.of(Refusal.NO_DAEMON))) {
            progress.accept("no control daemon answers any more");
            return new Outcome(awaitGone(processes(daemon, List.of())), List.of());
        }
        if (servers instanceof Answer.Refused<List<Long>> refused) {
            progress.accept(refused.sentence());
            return new Outcome(false, List.of());
        }
        ControlClient client = opened.orThrow();
        List<Long> left = drained(client, drain);
        Set<ProcessIdentity> processes =
                processes(daemon, client.servers().value().orElse(servers.orThrow()));
        if (!left.isEmpty()) {
            progress.accept("the daemon is told to quit, which breaks the clients that are left: " + left);
        }
        if (client.quit(GRACE) instanceof Answer.Refused<?> refused) {
            progress.accept(refused.sentence());
        }
        return new Outcome(awaitGone(processes), left);
    }

    /** The clients that are left when the time is over, or none. */
    private List<Long> drained(ControlClient client, Duration drain) throws InterruptedException {
        long end = clock.nanos() + drain.toNanos();
        List<Long> before = List.of();
        while (true) {
            List<Long> clients = clients(client);
            if (clients.isEmpty() || clock.nanos() - end >= 0) {
                return clients;
            }
            if (!clients.equals(before)) {
                progress.accept("waiting for clients to finish, " + drain.toSeconds() + " s at most: " + clients);
                before = clients;
            }
            clock.sleepUntil(Math.min(clock.nanos() + ASK.toNanos(), end));
        }
    }

    /** Of a server that has just gone, or does not answer, none can be waited for. */
    private static List<Long> clients(ControlClient client) {
        List<Long> clients = new ArrayList<>();
        for (long server : client.servers().value().orElse(List.of())) {
            clients.addAll(client.clients(server).value().orElse(List.of()));
        }
        return clients;
    }

    private Set<ProcessIdentity> processes(Optional<ProcessIdentity> daemon, List<Long> servers) {
        Set<ProcessIdentity> processes = new LinkedHashSet<>();
        daemon.ifPresent(processes::add);
        servers.forEach(server -> ProcessIdentity.of(host, server).ifPresent(processes::add));
        return processes;
    }

    private boolean awaitGone(Set<ProcessIdentity> processes) throws InterruptedException {
        long end = clock.nanos() + LEAVING.toNanos();
        while (processes.stream().anyMatch(this::runs)) {
            if (clock.nanos() - end >= 0) {
                progress.accept("still running " + LEAVING.toSeconds() + " s after it was told to quit: "
                        + processes.stream()
                                .filter(this::runs)
                                .map(ProcessIdentity::pid)
                                .toList());
                return false;
            }
            clock.sleepUntil(clock.nanos() + LOOK.toNanos());
        }
        return true;
    }

    /** One that has ended and is not waited for yet has no arguments any more. */
    private boolean runs(ProcessIdentity process) {
        return ProcessDetails.of(host, process.pid())
                .filter(details -> details.identity().equals(process))
                .filter(details -> !details.arguments().isEmpty())
                .isPresent();
    }
}
