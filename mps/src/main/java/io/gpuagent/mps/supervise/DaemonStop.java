// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Ends a daemon that has no clients left, or whose clients are to end with it: SIGTERM to the clients, {@code
 * terminate_client}, {@code quit -t}, signals to the daemon by verified identity, to orphaned servers, SIGKILL to clients
 * that are still there, left-overs. A signal without {@code quit} before it would break
 * clients at once, and plain {@code quit} would wait for them without an end.
 */
final class DaemonStop {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LONGEST_STEP = Duration.ofSeconds(10);
    private static final Duration AFTER_QUIT = Duration.ofSeconds(2);
    private static final int QUIT_EXTRA_SECONDS = 3;

    /** What becomes of clients. */
    enum Clients {
        /** There are to be none. */
        GONE,
        /** They lose their contexts with the daemon. */
        BREAK,
        /** Their processes are ended. */
        END
    }

    private final LiveDaemon daemon;
    private final ProcessProbe probe;
    private final Consumer<String> progress;
    private final List<String> lines = new ArrayList<>();

    DaemonStop(LiveDaemon daemon, ProcessProbe probe, Consumer<String> progress) {
        this.daemon = daemon;
        this.probe = probe;
        this.progress = progress;
    }

    /**
     * Ends it.
     *
     * @param clients what becomes of clients; where there are to be none, orphans are left alone, too
     * @param within how long all of it may take, 10 s or more
     */
    List<String> run(Clients clients, Duration within) throws ChangeRefused {
        long end = daemon.nanos() + within.toNanos();
        boolean forced = clients != Clients.GONE;
        // From here on nobody starts it again.
        daemon.save(daemon.record().withRun(DaemonRecord.Run.STOPPED).withDrain(Optional.empty()));
        ClientEnd tenants = new ClientEnd(daemon, probe, this::say);
        Optional<ProcessIdentity> process = daemon.picture().daemon();
        // Whatever answers in its place is somebody else's.
        if (process.filter(this::isAlive).isPresent()) {
            if (clients == Clients.END) {
                tenants.ask(daemon.nanos() + within.toNanos() * 3 / 10);
            }
            if (forced) {
                tenants.terminate(end - within.toNanos() / 2);
            }
            quit(share(end, 4), process.get());
            if (isAlive(process.get())) {
                say("it did not quit: process " + process.get().pid() + " is sent signals");
                if (!daemon.launcher().end(daemon.launch(), process.get(), share(end, 7))) {
                    throw new ChangeRefused(
                            ChangeRefused.Kind.HALF_DONE,
                            "the MPS daemon " + daemon.spec().id() + " did not end: process "
                                    + process.get().pid() + " survives SIGKILL, as one does that hangs in the driver");
                }
            }
        }
        daemon.see(new Observation.DaemonGone(daemon.now(), false));
        endOrphans(forced, end);
        if (clients == Clients.END) {
            tenants.kill(end);
        }
        return tidy();
    }

    /** Puts in order what a daemon left behind that has gone. */
    List<String> tidy() {
        daemon.launcher().forget(daemon.launch());
        if (probe.stranger().isEmpty()) {
            daemon.place.removePipe();
        }
        List<String> modes = new PriorModes(daemon).restore();
        modes.forEach(this::say);
        daemon.publish();
        return List.copyOf(lines);
    }

    private void say(String line) {
        lines.add(line);
        progress.accept(line);
    }

    private boolean isAlive(ProcessIdentity process) {
        return daemon.setup.ports().processes().isAlive(process);
    }

    /** Some tenths of the time that is left. */
    private Duration share(long end, int tenths) {
        return Duration.ofNanos(Math.max(0, end - daemon.nanos()) * tenths / 10);
    }

    private void quit(Duration within, ProcessIdentity process) {
        ControlClient control = daemon.control().value().orElse(null);
        if (control == null) {
            return;
        }
        long grace = Math.clamp(within.toSeconds() - QUIT_EXTRA_SECONDS, 0, LONGEST_STEP.toSeconds());
        Answer<?> answer = control.quit(Duration.ofSeconds(grace));
        if (answer instanceof Answer.Refused<?> refused
                && refused.why() != Refusal.NO_DAEMON
                && refused.why() != Refusal.ENDING) {
            say(refused.sentence());
            return;
        }
        // It answers before its process has gone.
        awaitEnd(List.of(process), daemon.nanos() + AFTER_QUIT.toNanos());
    }

    private boolean awaitEnd(List<ProcessIdentity> all, long end) {
        try {
            while (all.stream().anyMatch(this::isAlive)) {
                if (daemon.nanos() - end >= 0) {
                    return false;
                }
                daemon.sleep(LOOK);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void endOrphans(boolean forced, long end) throws ChangeRefused {
        List<ProcessIdentity> servers = probe.lookForOrphans();
        if (awaitEnd(servers, daemon.nanos() + share(end, 3).toNanos())) {
            probe.lookForOrphans();
            return;
        }
        if (forced) {
            ProcessTable table = daemon.setup.ports().processes();
            say("its servers outlived it and are ended: "
                    + servers.stream().map(ProcessIdentity::pid).toList());
            servers.forEach(server -> table.signal(server, false));
            if (!awaitEnd(servers, daemon.nanos() + share(end, 4).toNanos())) {
                servers.forEach(server -> table.signal(server, true));
                awaitEnd(servers, end);
            }
            servers = probe.lookForOrphans();
        }
        if (!servers.isEmpty()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.HALF_DONE,
                    "the MPS daemon " + daemon.spec().id() + " has ended, and its servers "
                            + servers.stream().map(ProcessIdentity::pid).toList() + " live on; stop it by force");
        }
    }
}
