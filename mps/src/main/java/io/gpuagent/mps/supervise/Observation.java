// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.mps.control.ClientProcess;
import io.gpuagent.mps.log.MpsEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that was seen of a daemon, or done to it. */
sealed interface Observation {
    /** When. */
    Instant at();

    /** A log told something; {@code at} is the line's own time where it has one. */
    record Logged(Instant at, MpsEvent event) implements Observation {}

    /** Its process runs. */
    record DaemonFound(Instant at, ProcessIdentity process, Optional<Instant> startedAt) implements Observation {}

    /** It was found running, and what its logs told of before is known now: counting begins here. */
    record Adopted(Instant at) implements Observation {}

    /** Its process has gone; {@code unexpected} where nobody had asked for it. */
    record DaemonGone(Instant at, boolean unexpected) implements Observation {}

    /** A server's or client's process has gone. */
    record ProcessGone(Instant at, long pid) implements Observation {}

    /** What the daemon listed: servers with their words, and the clients of all of them. */
    record Listed(Instant at, Map<Long, String> servers, List<ClientProcess> clients) implements Observation {
        public Listed {
            servers = Map.copyOf(servers);
            clients = List.copyOf(clients);
        }
    }

    /** The defaults were read back. */
    record DefaultsRead(Instant at, Share share) implements Observation {}

    /** A server's limits were read back. */
    record ServerRead(Instant at, long server, Share share) implements Observation {}

    /** A command was answered, or not in time. */
    record Commanded(Instant at, boolean timedOut) implements Observation {}

    /** A start begins, or has ended. */
    record Starting(Instant at, boolean begins) implements Observation {}

    /** It is started again after it died. */
    record Restarting(Instant at) implements Observation {}

    /** It is not started again any more, or it may be again. */
    record GivenUp(Instant at, boolean given) implements Observation {}

    /** Something that cannot be proven to be ours; empty when it has gone. */
    record Dirty(Instant at, Optional<String> sentence) implements Observation {}

    /** Servers that live without their daemon. */
    record Orphans(Instant at, List<Long> servers) implements Observation {
        public Orphans {
            servers = List.copyOf(servers);
        }
    }

    /** A client's contexts were destroyed on request. */
    record Terminated(Instant at, long client) implements Observation {}

    /** What is in force was found to be something else than what is wanted, or is right again. */
    record Mismatch(Instant at, Optional<String> sentence) implements Observation {}

    /** Until now nobody has sent a setter since the last check, as the log tells. */
    record Unchanged(Instant at) implements Observation {}
}
