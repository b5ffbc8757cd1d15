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
 * Ends a daemon that has no clients left, or whose clients are to end with it: terminate the clients, {@code quit -t},
 * signals by verified identity, orphaned servers, left-overs. A signal without {@code quit} before it would break
 * clients at once, and plain {@code quit} would wait for them without an end.
 */
final class DaemonStop {
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LONGEST_STEP = Duration.ofSeconds(10);
    private static final int QUIT_EXTRA_SECONDS = 3;

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
     * @param forced whether clients and orphans are ended, too
     * @param within how long all of it may take, 10 s or more
     */
    List<String> run(boolean forced, Duration within) throws ChangeRefused {
        long end = daemon.nanos() + within.toNanos();
        // From here on nobody starts it again.
        daemon.save(daemon.record().withRun(DaemonRecord.Run.STOPPED));
        Optional<ProcessIdentity> process = daemon.picture().daemon();
        // Whatever answers in its place is somebody else's.
        if (process.filter(this::isAlive).isPresent()) {
            if (forced) {
                terminateClients(daemon.nanos() + within.toNanos() * 4 / 10);
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

    private void terminateClients(long end) {
        ControlClient control = daemon.control().value().orElse(null);
        if (control == null) {
            return;
        }
        for (ClientPicture client : daemon.picture().clients().values()) {
            long left = Math.min(end - daemon.nanos(), LONGEST_STEP.toNanos());
            if (left <= 0) {
                say("there was no time left to terminate client " + client.pid() + "; it breaks when the daemon quits");
                continue;
            }
            Answer<?> answer = control.terminateClient(client.server(), client.pid(), Duration.ofNanos(left));
            if (answer instanceof Answer.Refused<?> refused) {
                say("client " + client.pid() + " could not be terminated: " + refused.sentence());
                if (refused.why() == Refusal.TIMED_OUT) {
                    return;
                }
            } else {
                daemon.see(new Observation.Terminated(daemon.now(), client.pid()));
                say("client " + client.pid() + " was terminated; its process goes on");
            }
        }
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
        awaitEnd(List.of(process), daemon.nanos() + Duration.ofSeconds(1).toNanos());
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
