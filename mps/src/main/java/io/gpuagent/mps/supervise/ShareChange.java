// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sets a share so that no first client escapes: the environment of the next daemon, the default of the next server, then
 * each server for its next client; a server that starts meanwhile has the default already. All is read back. Where a step
 * fails, the former values are put back.
 */
final class ShareChange {
    private final LiveDaemon daemon;
    private final Consumer<String> progress;
    private final LimitCheck check;

    ShareChange(LiveDaemon daemon, Consumer<String> progress) {
        this.daemon = daemon;
        this.progress = progress;
        check = new LimitCheck(daemon);
    }

    Change run(Share asked) throws ChangeRefused {
        Share former = daemon.spec().share();
        Share wanted = asked.over(former);
        String before = EffectiveShare.text(former);
        if (!daemon.picture().isRunning()) {
            daemon.writeEnvironment(wanted);
            daemon.save(daemon.record().withSpec(daemon.spec().withShare(wanted)));
            return new Change(
                    before,
                    EffectiveShare.text(wanted),
                    List.of("the daemon does not run: it holds from its next start on"));
        }
        ControlClient control = daemon.control().value().orElseThrow(() -> refused("it cannot be asked"));
        DaemonLimits limits = new DaemonLimits(control, daemon.spec().devices().size());
        Instant begun = daemon.now();
        daemon.save(daemon.record().withHistory(daemon.record().history().open(begun, wanted)));
        daemon.writeEnvironment(wanted);
        progress.accept("a daemon that starts from now on gets " + EffectiveShare.text(wanted));
        Optional<String> failure = apply(control, limits, asked);
        Optional<String> wrong = failure.isPresent() ? failure : verify(limits, wanted);
        if (wrong.isPresent()) {
            throw putBack(control, limits, former, asked, wrong.get());
        }
        Instant ended = daemon.now();
        daemon.save(daemon.record()
                .withSpec(daemon.spec().withShare(wanted))
                .withHistory(daemon.record().history().close(ended, wanted)));
        daemon.see(new Observation.Mismatch(ended, Optional.empty()));
        List<String> lines = new ArrayList<>();
        daemon.picture().servers().keySet().forEach(server -> lines.add("server " + server + " read back"));
        return new Change(before, EffectiveShare.text(wanted), lines);
    }

    /** What failed. */
    private Optional<String> apply(ControlClient control, DaemonLimits limits, Share asked) {
        Answer<Share> defaults = limits.setDefaults(asked);
        if (defaults instanceof Answer.Refused<Share> refused) {
            return Optional.of(refused.sentence());
        }
        progress.accept("servers that start from now on have it");
        Answer<List<Long>> servers = check.list(control);
        if (servers instanceof Answer.Refused<List<Long>> refused) {
            return Optional.of(refused.sentence());
        }
        for (long server : servers.orThrow()) {
            Answer<Share> set = limits.setServer(server, asked);
            if (set instanceof Answer.Refused<Share> refused && refused.why() != Refusal.NO_SUCH_SERVER) {
                return Optional.of(refused.sentence());
            }
            progress.accept("clients that connect to server " + server + " from now on have it");
        }
        return Optional.empty();
    }

    private Optional<String> verify(DaemonLimits limits, Share wanted) {
        Optional<Answer.Refused<?>> unread = check.read(limits, wanted);
        if (unread.isPresent()) {
            return Optional.of(unread.get().sentence());
        }
        DaemonPicture picture = daemon.picture();
        if (!EffectiveShare.same(picture.inForce().orElse(wanted), wanted)) {
            return Optional.of(
                    "in force is " + EffectiveShare.text(picture.inForce().orElse(wanted)));
        }
        return picture.servers().values().stream()
                .filter(server -> server.share().isPresent()
                        && !LimitCheck.isSame(server.share().get(), wanted))
                .map(server -> "server " + server.pid() + " has "
                        + EffectiveShare.text(server.share().orElse(wanted)))
                .findFirst();
    }

    private ChangeRefused putBack(ControlClient control, DaemonLimits limits, Share former, Share asked, String why) {
        daemon.writeEnvironment(former);
        Share back = new Share(
                asked.threads().flatMap(_ -> EffectiveShare.of(former).threads()),
                asked.memory().flatMap(_ -> EffectiveShare.toSet(former).memory()),
                asked.priority().flatMap(_ -> EffectiveShare.of(former).priority()));
        Optional<String> failure = apply(control, limits, back);
        Optional<String> left = failure.isPresent() ? failure : verify(limits, former);
        if (left.isEmpty()) {
            daemon.save(daemon.record().withHistory(daemon.record().history().close(daemon.now(), former)));
            return new ChangeRefused(
                    ChangeRefused.Kind.FAILED,
                    "the share of the MPS daemon " + daemon.spec().id() + " could not be set: " + why
                            + "; the former values are in force again");
        }
        daemon.see(new Observation.Mismatch(daemon.now(), left));
        return new ChangeRefused(
                ChangeRefused.Kind.HALF_DONE,
                "the share of the MPS daemon " + daemon.spec().id() + " could not be set: " + why
                        + "; and the former values could not be put back: " + left.get()
                        + "; a daemon that starts from now on has them");
    }

    private ChangeRefused refused(String why) {
        return new ChangeRefused(
                ChangeRefused.Kind.FAILED,
                "the share of the MPS daemon " + daemon.spec().id() + " could not be set: " + why);
    }
}
