// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ClientProcess;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks a daemon for all that commands can tell and compares it with what is wanted. The share stands in the daemon's
 * environment, so this corrects nothing as a rule; what somebody else has set is set back.
 */
final class LimitCheck {
    private final LiveDaemon daemon;
    private int turns;

    LimitCheck(LiveDaemon daemon) {
        this.daemon = daemon;
    }

    /** Checks and corrects; whether the daemon answered. */
    boolean run(boolean corrects) {
        Instant begun = daemon.now();
        Answer<ControlClient> control = daemon.control();
        if (control.value().isEmpty()) {
            return false;
        }
        DaemonLimits limits =
                new DaemonLimits(control.orThrow(), daemon.spec().devices().size());
        if (list(control.orThrow()).value().isEmpty()) {
            return false;
        }
        Optional<Answer.Refused<?>> failed = read(limits, daemon.spec().share());
        if (failed.isPresent()) {
            return false;
        }
        Optional<String> mismatch = mismatch();
        if (corrects && mismatch.isPresent()) {
            mismatch = correct(limits, mismatch.get());
        }
        if (corrects && mismatch.isEmpty() && daemon.record().history().isOpen()) {
            close(daemon.now());
        }
        daemon.see(new Observation.Mismatch(begun, mismatch));
        return true;
    }

    /** Whether something is known to be wrong, or not known at all. */
    boolean hasReasonToLook() {
        return daemon.picture().inForce().isEmpty()
                || daemon.picture().mismatch().isPresent()
                || daemon.record().history().isOpen();
    }

    /** Asks for one percentage, the daemon's and each server's in turn; for all where it is not right. */
    boolean quick(boolean corrects) {
        Answer<ControlClient> control = daemon.control();
        if (control.value().isEmpty()) {
            return false;
        }
        List<Long> servers = List.copyOf(daemon.picture().servers().keySet());
        int turn = turns++ % (servers.size() + 1);
        Answer<ThreadPercentage> answer = turn == 0
                ? control.orThrow().defaults().threads()
                : control.orThrow().limits(servers.get(turn - 1)).threads();
        boolean right =
                answer.value().equals(EffectiveShare.of(daemon.spec().share()).threads());
        return right || (!isTimeOut(answer) && run(corrects));
    }

    private void close(Instant at) {
        DaemonRecord record = daemon.record();
        daemon.save(record.withHistory(record.history().close(at, record.spec().share())));
    }

    /** Servers with their words and all clients. */
    Answer<List<Long>> list(ControlClient control) {
        return control.servers().then(servers -> {
            Map<Long, String> words = new TreeMap<>();
            for (long server : servers) {
                Answer<String> word = control.status(server).map(status -> status.raw());
                if (isTimeOut(word)) {
                    return word.map(_ -> servers);
                }
                // A server that has just gone is not listed either.
                word.value().ifPresent(text -> words.put(server, text));
            }
            Answer<List<ClientProcess>> rows = words.isEmpty() ? new Answer.Value<>(List.of()) : control.processes();
            if (rows.value().isEmpty() && !rows.refusal().equals(Optional.of(Refusal.NO_SUCH_SERVER))) {
                return rows.map(_ -> servers);
            }
            daemon.see(new Observation.Listed(daemon.now(), words, rows.value().orElse(List.of())));
            return new Answer.Value<>(servers);
        });
    }

    private static boolean isTimeOut(Answer<?> answer) {
        return answer.refusal().equals(Optional.of(Refusal.TIMED_OUT));
    }

    /** Reads all limits beside those that are wanted; what was refused, but for servers that have gone. */
    Optional<Answer.Refused<?>> read(DaemonLimits limits, Share wanted) {
        Answer<Share> defaults = limits.defaults(wanted);
        if (defaults instanceof Answer.Refused<Share> refused) {
            return Optional.of(refused);
        }
        daemon.see(new Observation.DefaultsRead(daemon.now(), defaults.orThrow()));
        for (long server : daemon.picture().servers().keySet()) {
            Answer<Share> share = limits.ofServer(server, wanted);
            if (share instanceof Answer.Refused<Share> refused && refused.why() != Refusal.NO_SUCH_SERVER) {
                return Optional.of(refused);
            }
            share.value().ifPresent(read -> daemon.see(new Observation.ServerRead(daemon.now(), server, read)));
        }
        return Optional.empty();
    }

    /** What is in force and should not be. */
    Optional<String> mismatch() {
        Share wanted = daemon.spec().share();
        DaemonPicture picture = daemon.picture();
        if (picture.inForce().isPresent()
                && !EffectiveShare.same(picture.inForce().get(), wanted)) {
            return Optional.of("new servers get "
                    + EffectiveShare.text(picture.inForce().get()) + " and not " + EffectiveShare.text(wanted));
        }
        for (ServerPicture server : picture.servers().values()) {
            if (server.share().isPresent() && !isSame(server.share().get(), wanted)) {
                return Optional.of("new clients of server " + server.pid() + " get "
                        + EffectiveShare.text(server.share().get()) + " and not " + EffectiveShare.text(wanted));
            }
            // It says that it has a limit, and would have written that into its log.
            boolean limited = server.share().flatMap(Share::memory).isPresent();
            if (limited
                    && server.is(ServerPicture.ACTIVE)
                    && !server.limitLogged().orElse(true)) {
                return Optional.of("server " + server.pid() + " started without telling of its limit of memory in "
                        + daemon.place.folders().serverLog() + ", so the limit may not hold: restart the daemon");
            }
        }
        return Optional.empty();
    }

    static boolean isSame(Share server, Share wanted) {
        return EffectiveShare.of(server)
                        .threads()
                        .equals(EffectiveShare.of(wanted).threads())
                && server.memory().equals(wanted.memory());
    }

    /** From the last time that all was right until now, what new clients got is not known. */
    private Optional<String> correct(DaemonLimits limits, String found) {
        DaemonRecord record = daemon.record();
        Instant since = daemon.picture().servers().values().stream()
                .flatMap(server -> server.startedAt().stream())
                .min(Instant::compareTo)
                .orElse(daemon.now());
        Instant lastGood = daemon.picture().lastGood().filter(since::isBefore).orElse(since);
        if (!record.history().isOpen()) {
            daemon.save(record.withHistory(
                    record.history().open(lastGood, record.spec().share())));
        }
        Share wanted = EffectiveShare.toSet(record.spec().share());
        limits.setDefaults(wanted);
        for (long server : daemon.picture().servers().keySet()) {
            limits.setServer(server, wanted);
        }
        read(limits, wanted);
        Optional<String> left = mismatch();
        if (left.isEmpty()) {
            close(daemon.now());
        }
        return left.isEmpty() ? left : Optional.of(found);
    }
}
