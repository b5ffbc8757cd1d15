// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A server as far as it is known.
 *
 * @param pid its pid
 * @param uid whom it serves
 * @param word its state in NVIDIA's words
 * @param startedAt when it was started
 * @param share what it allows, as read back
 * @param limitLogged whether its log told of a limit of memory when it started, the best proof that one took; empty
 *     where the log is not known
 * @param affected clients that a fault waits for
 * @param contextDestroyed whether its context was destroyed behind a fault and not made again yet
 * @param leaving whether it was told to go, so that its end is no failure
 */
record ServerPicture(
        long pid,
        OptionalLong uid,
        String word,
        Optional<Instant> startedAt,
        Optional<Share> share,
        Optional<Boolean> limitLogged,
        Set<Long> affected,
        boolean contextDestroyed,
        boolean leaving) {
    static final String INITIALIZING = "INITIALIZING";
    static final String ACTIVE = "ACTIVE";
    static final String FAULT = "FAULT";

    ServerPicture {
        affected = Set.copyOf(affected);
    }

    static ServerPicture unknown(long pid, String word) {
        return new ServerPicture(
                pid,
                OptionalLong.empty(),
                word,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                false,
                false);
    }

    static ServerPicture starting(long pid, long uid, Instant at) {
        return new ServerPicture(
                pid,
                OptionalLong.of(uid),
                INITIALIZING,
                Optional.of(at),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                false,
                false);
    }

    boolean is(String state) {
        return word.equals(state);
    }

    ServerPicture withWord(String other) {
        return new ServerPicture(pid, uid, other, startedAt, share, limitLogged, affected, contextDestroyed, leaving);
    }

    ServerPicture withShare(Share other) {
        return new ServerPicture(
                pid, uid, word, startedAt, Optional.of(other), limitLogged, affected, contextDestroyed, leaving);
    }

    /** The limits are told before the priority. */
    ServerPicture logged(boolean limit) {
        Optional<Boolean> told = limit ? Optional.of(true) : limitLogged.or(() -> Optional.of(false));
        return new ServerPicture(pid, uid, word, startedAt, share, told, affected, contextDestroyed, leaving);
    }

    ServerPicture faulty(List<Long> clients) {
        return new ServerPicture(
                pid, uid, FAULT, startedAt, share, limitLogged, Set.copyOf(clients), contextDestroyed, leaving);
    }

    ServerPicture without(long client) {
        return new ServerPicture(
                pid,
                uid,
                word,
                startedAt,
                share,
                limitLogged,
                Set.copyOf(affected.stream().filter(pid -> pid != client).toList()),
                contextDestroyed,
                leaving);
    }

    ServerPicture toldToGo() {
        return new ServerPicture(pid, uid, word, startedAt, share, limitLogged, affected, contextDestroyed, true);
    }

    /** Behind a fault, a server destroys its context and makes it anew, and is active again. */
    ServerPicture context(boolean created) {
        boolean back = created && is(FAULT) && contextDestroyed;
        return new ServerPicture(
                pid,
                uid,
                back ? ACTIVE : word,
                startedAt,
                share,
                limitLogged,
                back ? Set.of() : affected,
                !created,
                leaving);
    }
}
