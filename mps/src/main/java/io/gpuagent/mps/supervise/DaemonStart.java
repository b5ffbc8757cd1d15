// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.log.DaemonLog;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts a daemon so that no client can come before its share is in force: the share stands in its environment. But for
 * the limit of memory, which is set as soon as it answers: what a client got that came in between is unknown. It is
 * ready when its process is the one that was started, it answers, and the share is read back.
 */
final class DaemonStart {
    /** It answers 0.2 s after its start on an H200. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final LiveDaemon daemon;
    private final Consumer<String> progress;

    DaemonStart(LiveDaemon daemon, Consumer<String> progress) {
        this.daemon = daemon;
        this.progress = progress;
    }

    /** Starts it; the record says already that it is to run. */
    void run() {
        DaemonSpec spec = daemon.spec();
        daemon.place.make();
        daemon.writeEnvironment(spec.share());
        ProcessTable processes = daemon.setup.ports().processes();
        if (processes.serversOf(daemon.place.folders().pipe()).isEmpty()
                && processes.daemonsOf(daemon.place.folders().pipe()).isEmpty()) {
            daemon.place.clear();
        }
        if (daemon.log().isEmpty()) {
            daemon.follow(DaemonLog.fromEnd(daemon.place.folders(), 0, daemon.setup.clock()));
            new LogReading(daemon).read();
        }
        daemon.see(new Observation.Starting(daemon.now(), true));
        daemon.publish();
        try {
            // Nobody can have come before it: the log tells milliseconds.
            Instant before = daemon.now().minusMillis(1);
            progress.accept("starting the MPS daemon " + spec.id() + " as "
                    + daemon.launcher().describe());
            ProcessIdentity process = daemon.launcher().start(daemon.launch());
            daemon.see(new Observation.DaemonFound(daemon.now(), process, processes.startedAt(process)));
            DaemonRecord record = daemon.record();
            daemon.save(record.withHistory(
                    record.history().close(before, spec.share()).open(before, spec.share())));
            awaitReady(process);
            // The log tells milliseconds; who came in the last one of the start is unknown as well.
            daemon.save(daemon.record().withHistory(daemon.record().history().close(daemon.now(), spec.share())));
        } finally {
            daemon.see(new Observation.Starting(daemon.now(), false));
        }
    }

    private void awaitReady(ProcessIdentity process) {
        long end = daemon.nanos() + PATIENCE.toNanos();
        ProcessTable processes = daemon.setup.ports().processes();
        String missing = "it does not answer";
        try {
            while (daemon.nanos() - end < 0) {
                if (!processes.isAlive(process)) {
                    throw failure("it ended at once");
                }
                Optional<String> reason = notReady(process);
                if (reason.isEmpty()) {
                    progress.accept("it answers as process " + process.pid() + ", with "
                            + EffectiveShare.text(daemon.spec().share()) + " read back");
                    return;
                }
                missing = reason.get();
                daemon.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("the start was interrupted");
        }
        throw failure(missing + " within " + PATIENCE.toSeconds() + " s");
    }

    private MpsException failure(String what) {
        return new MpsException("the MPS daemon " + daemon.spec().id() + " does not run: " + what + "; "
                + daemon.place.folders().controlLog() + " tells more");
    }

    /** What is missing; its environment cannot be read where it is another user's. */
    private Optional<String> notReady(ProcessIdentity process) {
        if (!daemon.setup
                .ports()
                .processes()
                .isDaemonOf(process.pid(), daemon.place.folders().pipe())
                .orElse(true)) {
            return Optional.of("its process is no control daemon of this folder");
        }
        Answer<ControlClient> control = daemon.control();
        Answer<Share> read = control.then(client -> {
            DaemonLimits limits =
                    new DaemonLimits(client, daemon.spec().devices().size());
            return setMemory(client, limits)
                    .then(_ -> limits.defaults(daemon.spec().share()));
        });
        return switch (read) {
            case Answer.Refused<Share> refused -> Optional.of(refused.sentence());
            case Answer.Value<Share>(var share) -> {
                daemon.see(new Observation.DefaultsRead(daemon.now(), share));
                yield EffectiveShare.same(share, daemon.spec().share())
                        ? Optional.empty()
                        : Optional.of("it gives " + EffectiveShare.text(share) + " and not "
                                + EffectiveShare.text(daemon.spec().share()));
            }
        };
    }

    /**
     * The one thing that a daemon does not take from its environment (tried on an H200, driver 580.159.04). A server that
     * a client started before gets it by its own command.
     */
    private Answer<Share> setMemory(ControlClient client, DaemonLimits limits) {
        Share memory = new Share(Optional.empty(), daemon.spec().share().memory(), Optional.empty());
        if (memory.memory().isEmpty()) {
            return new Answer.Value<>(memory);
        }
        return limits.setDefaults(memory).then(_ -> client.servers()).then(servers -> {
            Answer<Share> done = new Answer.Value<>(memory);
            for (long server : servers) {
                done = done.then(_ -> limits.setServer(server, memory));
            }
            return done;
        });
    }
}
