// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.mps.MpsPendingView;
import io.gpuagent.model.mps.MpsReason;
import io.gpuagent.model.mps.MpsState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a picture amounts to: its state, one sentence on it, and what somebody should know. */
final class StateRule {
    /** So many failures of servers within a minute are a loop: the daemon starts the next one after 50 ms. */
    static final int LOOP = 3;

    private static final Duration FAILURE_WINDOW = Duration.ofMinutes(1);
    /** A server starts within 2 s on an H200; longer without a persistence daemon. */
    static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Behind another user's server nothing starts by itself, so there is no reason to wait for it. */
    private static final Duration PATIENCE_BEHIND_OTHERS = Duration.ofSeconds(10);

    private final DaemonPicture picture;
    private final DaemonRecord record;
    private final Instant now;

    StateRule(DaemonPicture picture, DaemonRecord record, Instant now) {
        this.picture = picture;
        this.record = record;
        this.now = now;
    }

    MpsState state() {
        if (picture.dirty().isPresent()) {
            return MpsState.DIRTY;
        }
        if (!picture.isRunning()) {
            return stateWithoutDaemon();
        }
        if (record.isDraining(now)) {
            return MpsState.DRAINING;
        }
        if (picture.starting()) {
            return MpsState.STARTING;
        }
        if (picture.silentSince().isPresent()) {
            return MpsState.WEDGED;
        }
        return stateOfServers();
    }

    private MpsState stateWithoutDaemon() {
        if (!picture.orphans().isEmpty()) {
            return MpsState.ORPHAN;
        }
        return switch (record.run()) {
            case GIVEN_UP -> MpsState.CRASHLOOP;
            case RUNNING -> picture.givenUp() ? MpsState.CRASHLOOP : MpsState.STARTING;
            case STOPPED -> MpsState.ABSENT;
        };
    }

    private MpsState stateOfServers() {
        Optional<ServerPicture> fault = picture.servers().values().stream()
                .filter(server -> server.is(ServerPicture.FAULT))
                .findFirst();
        if (fault.isPresent()) {
            return fault.get().affected().isEmpty() ? MpsState.RECOVERING : MpsState.FAULT;
        }
        if (picture.servers().values().stream().anyMatch(server -> server.is(ServerPicture.ACTIVE))) {
            return MpsState.ACTIVE;
        }
        if (failures() >= LOOP) {
            return MpsState.CRASHLOOP;
        }
        return picture.servers().isEmpty() ? MpsState.IDLE : MpsState.INITIALIZING;
    }

    private long failures() {
        return picture.failures().stream()
                .filter(failure -> failure.plus(FAILURE_WINDOW).isAfter(now))
                .count();
    }

    Optional<String> detail() {
        return switch (state()) {
            case DIRTY -> picture.dirty();
            case WEDGED ->
                Optional.of("it has not answered a command since "
                        + picture.silentSince().orElse(now)
                        + "; its clients may go on; stop it by force if it stays so");
            case ORPHAN ->
                Optional.of("its servers " + picture.orphans()
                        + " live without it and cannot be told anything; it starts again when their clients have gone, or"
                        + " stop it by force");
            case CRASHLOOP ->
                Optional.of(
                        picture.isRunning()
                                ? "its servers failed " + failures() + " times within a minute"
                                        + picture.words()
                                                .map(said -> "; the last one said: " + said)
                                                .orElse("; server.log tells why")
                                : "it died "
                                        + (record.run() == DaemonRecord.Run.GIVEN_UP
                                                ? RestartPolicy.MOST + " times within 10 minutes"
                                                : "so often that systemd gave it up")
                                        + " and is not started any more; look at its logs, then start it again");
            case STARTING ->
                picture.deaths().isEmpty()
                        ? Optional.empty()
                        : Optional.of("it died at " + picture.deaths().getLast() + " and is started again");
            case FAULT ->
                Optional.of("a fatal GPU error: nobody is let in until the affected clients have ended: " + affected());
            case RECOVERING -> Optional.of("the clients of a fatal GPU error have ended, and the server comes back");
            case DRAINING ->
                Optional.of("it is stopped when its clients have ended: "
                        + picture.clients().keySet().stream()
                                .map(String::valueOf)
                                .collect(Collectors.joining(", "))
                        + "; starting it calls that off");
            case ABSENT, IDLE, INITIALIZING, ACTIVE -> Optional.empty();
        };
    }

    private List<Long> affected() {
        return picture.servers().values().stream()
                .flatMap(server -> server.affected().stream())
                .sorted()
                .toList();
    }

    List<MpsReason> reasons() {
        List<MpsReason> reasons = new ArrayList<>();
        String sentence = detail().orElse("");
        switch (state()) {
            case DIRTY -> reasons.add(new MpsReason("mps_dirty", sentence));
            case WEDGED -> reasons.add(new MpsReason("mps_wedged", sentence));
            case CRASHLOOP -> reasons.add(new MpsReason("mps_crash_loop", sentence));
            case FAULT, RECOVERING -> reasons.add(new MpsReason("mps_fault", sentence));
            case ORPHAN -> reasons.add(new MpsReason("mps_orphan", sentence));
            case ABSENT, STARTING, IDLE, INITIALIZING, ACTIVE, DRAINING -> {}
        }
        picture.mismatch().ifPresent(text -> reasons.add(new MpsReason("mps_limits_not_in_force", text)));
        for (MpsPendingView pending : picture.pending()) {
            Duration patience = isBehindOthers(pending) ? PATIENCE_BEHIND_OTHERS : PATIENCE;
            if (!pending.since().plus(patience).isAfter(now)) {
                reasons.add(new MpsReason("mps_pending_user", waits(pending)));
            }
        }
        return List.copyOf(reasons);
    }

    private String waits(MpsPendingView pending) {
        String who = (pending.pid() == 0 ? "a client" : "client " + pending.pid()) + " of user " + pending.uid()
                + " waits since " + pending.since();
        List<Long> users = othersThan(pending);
        return isBehindOthers(pending)
                ? who + " behind user " + users.getFirst()
                        + ", whose clients must end first; to serve all users at once, start the daemon in multi-user mode"
                : who + " for a server that does not come: server.log tells why";
    }

    private boolean isBehindOthers(MpsPendingView pending) {
        return !record.spec().multiUser() && !othersThan(pending).isEmpty();
    }

    private List<Long> othersThan(MpsPendingView pending) {
        return picture.servers().values().stream()
                .flatMapToLong(server -> server.uid().stream())
                .filter(uid -> uid != pending.uid())
                .boxed()
                .toList();
    }
}
