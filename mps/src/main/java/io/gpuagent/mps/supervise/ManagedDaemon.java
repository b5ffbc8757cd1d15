// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** One daemon: looks at it and changes of it, one at a time. */
final class ManagedDaemon {
    private static final Duration LOOK = Duration.ofMillis(200);
    /** Less would leave no time for each step of a stop by force. */
    static final Duration SHORTEST_STOP = Duration.ofSeconds(10);

    private final LiveDaemon daemon;
    private final ProcessProbe probe;
    private final DaemonRound round;
    private final DaemonDrain drain;
    /** A little more than a control command may take. */
    private static final long LONGEST_LOOK_SECONDS = 12;

    private final ReentrantLock turn = new ReentrantLock();

    ManagedDaemon(SupervisionSetup setup, DaemonStore store, DaemonRecord record) {
        daemon = new LiveDaemon(setup, store, record);
        probe = new ProcessProbe(daemon);
        round = new DaemonRound(daemon, probe);
        drain = new DaemonDrain(daemon, probe, round);
    }

    /** A step of a change. */
    private interface Step<T> {
        T run() throws ChangeRefused;
    }

    private <T> T inTurn(Step<T> step) throws ChangeRefused {
        turn.lock();
        try {
            return step.run();
        } catch (MpsException e) {
            throw new ChangeRefused(ChangeRefused.Kind.FAILED, String.valueOf(e.getMessage()));
        } finally {
            daemon.publish();
            turn.unlock();
        }
    }

    /**
     * Looks, unless a change is being made: then what is shown is of now already. A look of the watch that waits for a
     * daemon which is just ending is waited for, since what is shown is from before it.
     */
    void lookUnlessChanging() {
        try {
            if (turn.tryLock(LONGEST_LOOK_SECONDS, TimeUnit.SECONDS)) {
                try {
                    look();
                } finally {
                    turn.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void look() {
        turn.lock();
        try {
            round.run();
            drain.goOn();
        } finally {
            daemon.publish();
            turn.unlock();
        }
    }

    PictureView shown() {
        return daemon.shown();
    }

    private String state() {
        return new StateRule(daemon.picture(), daemon.record(), daemon.now())
                .state()
                .label();
    }

    Change start(DaemonSpec wanted, Consumer<String> progress) throws ChangeRefused {
        return inTurn(() -> {
            round.lookNow();
            String before = state();
            if (daemon.picture().isRunning()) {
                return alreadyRuns(wanted, before);
            }
            if (daemon.picture().dirty().isPresent()) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.IN_USE, daemon.picture().dirty().get());
            }
            if (!daemon.picture().orphans().isEmpty()) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.IN_USE,
                        "servers of the MPS daemon " + wanted.id() + " that died live on: "
                                + daemon.picture().orphans() + "; stop it by force first");
            }
            daemon.place.make();
            new WishCheck(daemon.setup).folders(daemon.place, wanted.multiUser());
            Answer<ControlClient> control = daemon.control();
            if (control instanceof Answer.Refused<ControlClient> refused) {
                throw new ChangeRefused(ChangeRefused.Kind.NOT_SUPPORTED, refused.sentence());
            }
            return startNow(wanted, before, progress);
        });
    }

    private Change alreadyRuns(DaemonSpec wanted, String before) throws ChangeRefused {
        refuseOtherSettings(wanted.wish());
        if (daemon.record().drain().isEmpty()) {
            return new Change(before, before, List.of("it runs already"));
        }
        List<String> lines = drain.callOff();
        return new Change(before, state(), lines);
    }

    Change callOffDrain(Consumer<String> progress) throws ChangeRefused {
        return inTurn(() -> {
            daemon.reload();
            drain.refuseWithout();
            String before = state();
            List<String> lines = drain.callOff();
            lines.forEach(progress);
            return new Change(before, state(), lines);
        });
    }

    boolean isDraining() {
        return shown().record().isDraining(daemon.now());
    }

    void refuseWithoutDrain() throws ChangeRefused {
        drain.refuseWithout();
    }

    /** A start is no way to change a daemon that runs. */
    void refuseOtherSettings(DaemonWish wanted) throws ChangeRefused {
        DaemonSpec spec = shown().record().spec();
        if (!spec.wish().equals(wanted)) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.IN_USE,
                    "the MPS daemon " + spec.id() + " runs with other settings: set its share, or stop it first");
        }
    }

    private Change startNow(DaemonSpec wanted, String before, Consumer<String> progress) throws ChangeRefused {
        daemon.save(daemon.record()
                .withSpec(wanted)
                .withRun(DaemonRecord.Run.RUNNING)
                .withDrain(Optional.empty()));
        daemon.see(new Observation.GivenUp(daemon.now(), false));
        progress.accept(wanted.mode());
        try {
            new PriorModes(daemon).makeExclusive();
            new DaemonStart(daemon, progress).run();
        } catch (MpsException | ChangeRefused e) {
            List<String> left = new DaemonStop(daemon, probe, progress).run(DaemonStop.Clients.BREAK, SHORTEST_STOP);
            boolean cannot = e instanceof ChangeRefused refused && refused.kind() == ChangeRefused.Kind.NOT_SUPPORTED;
            throw new ChangeRefused(
                    cannot ? ChangeRefused.Kind.NOT_SUPPORTED : ChangeRefused.Kind.FAILED,
                    e.getMessage() + (left.isEmpty() ? "" : "; " + String.join("; ", left)));
        }
        round.run();
        return new Change(before, state(), List.of(wanted.mode()));
    }

    Change resume(Consumer<String> progress) throws ChangeRefused {
        return start(daemon.spec(), progress);
    }

    Change stop(StopMode mode, Duration deadline, Consumer<String> progress) throws ChangeRefused {
        if (mode == StopMode.DRAIN) {
            drain(deadline, progress);
        }
        return inTurn(() -> {
            round.lookNow();
            String before = state();
            if (daemon.picture().dirty().isPresent()) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.IN_USE, daemon.picture().dirty().get());
            }
            boolean forced = mode == StopMode.FORCE;
            if (!daemon.picture().isRunning() && daemon.picture().orphans().isEmpty()) {
                daemon.save(daemon.record().withRun(DaemonRecord.Run.STOPPED).withDrain(Optional.empty()));
                List<String> lines = new DaemonStop(daemon, probe, progress).tidy();
                daemon.see(new Observation.GivenUp(daemon.now(), false));
                return new Change(before, state(), lines.isEmpty() ? List.of("it did not run") : lines);
            }
            if (!forced) {
                new LimitCheck(daemon).run(false);
                daemon.save(daemon.record().withDrain(Optional.empty()));
                drain.refuseWithClients();
            }
            Duration within = forced && deadline.compareTo(SHORTEST_STOP) > 0 ? deadline : SHORTEST_STOP;
            List<String> lines = new DaemonStop(daemon, probe, progress)
                    .run(forced ? DaemonStop.Clients.END : DaemonStop.Clients.GONE, within);
            return new Change(before, state(), lines);
        });
    }

    /** Others may look and change while this waits. */
    private void drain(Duration deadline, Consumer<String> progress) throws ChangeRefused {
        long end = daemon.nanos() + deadline.toNanos();
        boolean begun = inTurn(() -> drain.begin(deadline, progress));
        try {
            while (begun && inTurn(drain::hasClients) && daemon.nanos() - end < 0) {
                daemon.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChangeRefused(
                    ChangeRefused.Kind.HALF_DONE,
                    "the wait for the clients of the MPS daemon "
                            + daemon.spec().id()
                            + " was interrupted; the drain goes on until its time is over, or it is started");
        } finally {
            drain.waitsNoMore();
        }
    }

    Change set(Share share, Consumer<String> progress) throws ChangeRefused {
        return inTurn(() -> {
            new WishCheck(daemon.setup).share(share, daemon.spec().devices());
            round.run();
            return new ShareChange(daemon, progress).run(share);
        });
    }

    Change terminateClient(long pid, Consumer<String> progress) throws ChangeRefused {
        return inTurn(() -> {
            round.run();
            ClientPicture client = daemon.picture().clients().get(pid);
            if (client == null) {
                throw new ChangeRefused(
                        ChangeRefused.Kind.NOT_FOUND,
                        "the MPS daemon " + daemon.spec().id() + " has no client " + pid);
            }
            Answer<?> answer = daemon.control().then(control -> control.terminateClient(client.server(), pid));
            if (answer instanceof Answer.Refused<?> refused) {
                throw new ChangeRefused(ChangeRefused.Kind.FAILED, refused.sentence());
            }
            daemon.see(new Observation.Terminated(daemon.now(), pid));
            String line =
                    "the contexts of client " + pid + " were destroyed; its process goes on until it ends by itself";
            progress.accept(line);
            return new Change("client of server " + client.server(), "terminated", List.of(line));
        });
    }
}
