// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The drain of one daemon. It stands on disk, so that it goes on when the process dies that waits, and so that any process
 * can call it off. Used under the daemon's lock.
 */
final class DaemonDrain {
    private static final System.Logger LOG = System.getLogger(DaemonDrain.class.getName());

    private final LiveDaemon daemon;
    private final ProcessProbe probe;
    private final DaemonRound round;
    // Whether a thread of this process waits for the clients.
    private volatile boolean waits;

    DaemonDrain(LiveDaemon daemon, ProcessProbe probe, DaemonRound round) {
        this.daemon = daemon;
        this.probe = probe;
        this.round = round;
    }

    /** Notes the drain; whether there is a daemon to wait for. */
    boolean begin(Duration deadline, Consumer<String> progress) {
        round.lookNow();
        if (!daemon.picture().isRunning()) {
            return false;
        }
        daemon.save(daemon.record()
                .withDrain(Optional.of(
                        new Drain(daemon.now().plus(deadline), ProcessIdentity.self(daemon.setup.host())))));
        waits = true;
        progress.accept("waiting for the clients to end, at most " + deadline.toSeconds()
                + " s; new ones are not kept out; starting it calls the drain off");
        return true;
    }

    void waitsNoMore() {
        waits = false;
    }

    boolean hasClients() throws ChangeRefused {
        round.run();
        if (daemon.picture().isRunning() && daemon.record().drain().isEmpty()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.FAILED,
                    "the drain of the MPS daemon " + daemon.spec().id() + " was called off: it goes on");
        }
        return daemon.picture().isRunning() && !daemon.picture().clients().isEmpty();
    }

    void refuseWithClients() throws ChangeRefused {
        if (daemon.picture().silentSince().isPresent()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.IN_USE,
                    "the MPS daemon " + daemon.spec().id()
                            + " does not answer, so it is not known whether it has clients: stop it by force");
        }
        if (!daemon.picture().clients().isEmpty()) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.IN_USE,
                    "the MPS daemon " + daemon.spec().id() + " has the clients "
                            + daemon.picture().clients().keySet()
                            + ": end them, or stop it with drain or force");
        }
    }

    void refuseWithout() throws ChangeRefused {
        if (!daemon.record().isDraining(daemon.now())) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_FOUND,
                    "there is no drain of the MPS daemon " + daemon.spec().id() + " to call off");
        }
    }

    /** Ends the drain, whoever waits in it. */
    List<String> callOff() {
        daemon.save(daemon.record().withDrain(Optional.empty()));
        return List.of("its drain is called off: it goes on, and so do its clients");
    }

    /** Goes on with a drain whose process has died. */
    void goOn() {
        Optional<Drain> drain = daemon.record().drain();
        if (drain.isEmpty()
                || waits
                || !daemon.setup.restarts()
                || daemon.setup.ports().processes().isAlive(drain.get().by())) {
            return;
        }
        if (!daemon.record().isDraining(daemon.now())) {
            daemon.save(daemon.record().withDrain(Optional.empty()));
            LOG.log(
                    System.Logger.Level.INFO,
                    "the drain of the MPS daemon {0} is given up: it still has clients",
                    daemon.spec().id());
        } else if (daemon.picture().clients().isEmpty()
                && daemon.picture().silentSince().isEmpty()
                && daemon.picture().dirty().isEmpty()) {
            stop();
        }
    }

    private void stop() {
        try {
            if (daemon.picture().isRunning()) {
                new LimitCheck(daemon).run(false);
                refuseWithClients();
            }
            new DaemonStop(daemon, probe, _ -> {}).run(DaemonStop.Clients.GONE, ManagedDaemon.SHORTEST_STOP);
            LOG.log(
                    System.Logger.Level.INFO,
                    "the MPS daemon {0} is drained and stopped",
                    daemon.spec().id());
        } catch (ChangeRefused e) {
            LOG.log(System.Logger.Level.WARNING, String.valueOf(e.getMessage()));
        }
    }
}
