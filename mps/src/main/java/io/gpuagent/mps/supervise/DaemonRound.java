// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.log.MpsEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A look at one daemon, once a second: its record, its process, its logs, the processes of its servers and clients. A
 * control command is sent once a minute, to see that it answers, and when the logs tell of a new server, a fault or a
 * setter. The log has each command that anybody sends, so that nothing need be asked for to notice a change.
 */
final class DaemonRound {
    /** How often a daemon must answer a command. */
    static final Duration CHECK = Duration.ofMinutes(1);
    /** How often all is asked for that commands tell, should a line of the log have been lost. */
    static final Duration WHOLE_CHECK = Duration.ofMinutes(10);

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration SILENT = Duration.ofSeconds(10);

    private final LiveDaemon daemon;
    private final ProcessProbe probe;
    private final LogReading logs;
    private final LimitCheck check;
    private long checkAt;
    private long restartAt;
    private long lookAt;
    private long capAt;
    private long suspectAt;
    private long wholeAt;
    private boolean suspected;
    private boolean first = true;

    DaemonRound(LiveDaemon daemon, ProcessProbe probe) {
        this.daemon = daemon;
        this.probe = probe;
        logs = new LogReading(daemon);
        check = new LimitCheck(daemon);
        checkAt = daemon.nanos();
        restartAt = daemon.nanos();
        lookAt = daemon.nanos();
        suspectAt = daemon.nanos();
        wholeAt = daemon.nanos();
        capAt = daemon.nanos() + CHECK.toNanos();
    }

    /** Looks once. */
    void run() {
        boolean changed = daemon.reload();
        if (probe.daemonHasGone()) {
            gone();
        }
        if (!daemon.picture().isRunning() && (first || changed || (isWanted() && isDue(lookAt)))) {
            look(changed);
        }
        first = false;
        List<LogReading.Told> told = logs.read();
        probe.lookAtProcesses();
        // Commands take their time; what is known without them is shown before.
        daemon.publish();
        if (daemon.picture().isRunning()) {
            checkWhenDue(told);
        } else if (daemon.setup.restarts()) {
            revive();
        }
        if (isDue(capAt)) {
            capAt = daemon.nanos() + CHECK.toNanos();
            logs.cap();
        }
        daemon.publish();
    }

    /** Looks whether there is a daemon, ours or not, before one is started or stopped. */
    void lookNow() {
        run();
        if (!daemon.picture().isRunning()) {
            look(false);
            logs.read();
        }
    }

    private boolean isWanted() {
        return daemon.record().run() == DaemonRecord.Run.RUNNING;
    }

    private boolean isDue(long at) {
        return daemon.nanos() - at >= 0;
    }

    private void gone() {
        boolean unexpected = isWanted();
        // What the logs told before its end belongs to it.
        logs.read();
        daemon.see(new Observation.DaemonGone(daemon.now(), unexpected));
        probe.lookForOrphans();
        planRestart();
    }

    private void planRestart() {
        lookAt = daemon.nanos();
        Optional<Duration> delay = RestartPolicy.delay(daemon.picture().deaths(), daemon.now());
        if (isWanted() && delay.isEmpty() && daemon.setup.restarts()) {
            giveUp();
        }
        restartAt = daemon.nanos() + delay.orElse(CHECK).toNanos();
    }

    /** Written down by whoever starts daemons again; one that only looks has it from systemd. */
    private void giveUp() {
        if (isWanted() && daemon.setup.restarts()) {
            daemon.save(daemon.record().withRun(DaemonRecord.Run.GIVEN_UP));
        }
        daemon.see(new Observation.GivenUp(daemon.now(), true));
    }

    /** Somebody may have started it: this process before it ended, another one, or systemd. */
    private void look(boolean changed) {
        lookAt = daemon.nanos() + Duration.ofSeconds(1).toNanos();
        if (probe.adopt()) {
            checkAt = daemon.nanos();
            wholeAt = daemon.nanos();
            if (!first && !changed && !daemon.picture().deaths().isEmpty()) {
                // Nobody asked for it.
                daemon.see(new Observation.Restarting(daemon.now()));
            }
            daemon.see(new Observation.Dirty(daemon.now(), Optional.empty()));
            return;
        }
        if (isWanted() && daemon.launcher().prospect(daemon.launch()) == DaemonLauncher.Prospect.GIVEN_UP) {
            giveUp();
            lookAt = daemon.nanos() + SILENT.toNanos();
        }
        probe.lookForOrphans();
        if (changed) {
            // Whoever wrote the record is about to start it.
            restartAt = daemon.nanos() + SOON.toNanos();
        }
        daemon.see(new Observation.Dirty(daemon.now(), probe.stranger()));
    }

    private void checkWhenDue(List<LogReading.Told> told) {
        boolean news = told.stream()
                .anyMatch(one ->
                        one.event() instanceof MpsEvent.ServerReady || one.event() instanceof MpsEvent.GpuFaultBegun);
        told.stream().filter(DaemonRound::isSetter).findFirst().ifPresent(this::suspect);
        if (!news && !(suspected && isDue(suspectAt)) && !isDue(checkAt)) {
            return;
        }
        boolean whole = news || suspected || isDue(wholeAt) || check.hasReasonToLook();
        if (suspected) {
            suspectAt = daemon.nanos() + SOON.toNanos();
            suspected = false;
        }
        boolean answered = whole ? check.run(daemon.setup.restarts()) : check.quick(daemon.setup.restarts());
        if (whole && answered) {
            wholeAt = daemon.nanos() + WHOLE_CHECK.toNanos();
        }
        boolean silent = daemon.picture().silentSince().isPresent();
        boolean fault = daemon.picture().servers().values().stream().anyMatch(server -> server.is(ServerPicture.FAULT));
        Duration next = silent || !answered ? SILENT : fault ? SOON : CHECK;
        checkAt = daemon.nanos() + next.toNanos();
        // What the commands wrote into the log is nothing new.
        logs.read();
    }

    private static boolean isSetter(LogReading.Told told) {
        return told.event() instanceof MpsEvent.CommandReceived(var command) && command.startsWith("set_");
    }

    /**
     * Somebody has sent a setter, which the log tells of whether the daemon took it or not. It may have been this agent.
     * Until then, all was as it was found last.
     */
    private void suspect(LogReading.Told setter) {
        suspected = true;
        daemon.see(new Observation.Unchanged(setter.at().minusMillis(1)));
    }

    private void revive() {
        if (daemon.record().isDraining(daemon.now())) {
            return;
        }
        if (!isWanted()) {
            if (!daemon.record().priorModes().isEmpty() && isDue(restartAt)) {
                new PriorModes(daemon).restore();
                restartAt = daemon.nanos() + CHECK.toNanos();
            }
            return;
        }
        if (!isDue(restartAt) || daemon.picture().dirty().isPresent()) {
            return;
        }
        // Two that start one daemon would take each other's failures for their own.
        if (daemon.launcher().prospect(daemon.launch()) == DaemonLauncher.Prospect.RETURNS) {
            return;
        }
        List<ProcessIdentity> orphans = daemon.picture().orphans().isEmpty() ? List.of() : probe.lookForOrphans();
        if (!orphans.isEmpty()) {
            return;
        }
        try {
            new PriorModes(daemon).makeExclusive();
            new DaemonStart(daemon, _ -> {}).run();
            daemon.see(new Observation.Restarting(daemon.now()));
            checkAt = daemon.nanos();
            wholeAt = daemon.nanos();
        } catch (MpsException | ChangeRefused e) {
            if (Thread.currentThread().isInterrupted()) {
                // This process ends; whoever comes next adopts what runs, or starts it.
                return;
            }
            daemon.picture().daemon().ifPresent(process -> daemon.launcher().end(daemon.launch(), process, SILENT));
            daemon.see(new Observation.DaemonGone(daemon.now(), true));
            planRestart();
        }
    }
}
