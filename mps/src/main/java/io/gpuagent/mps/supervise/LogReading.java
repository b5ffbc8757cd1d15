// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.log.DaemonLog;
import io.gpuagent.mps.log.LogTail;
import io.gpuagent.mps.log.MpsEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts what both logs of a daemon tell into its picture, in the order in which it happened. */
final class LogReading {

    private final LiveDaemon daemon;

    LogReading(LiveDaemon daemon) {
        this.daemon = daemon;
    }

    /** Something that a log told, and when it happened. */
    record Told(Instant at, MpsEvent event) {}

    /** Reads what is new; what it was. */
    List<Told> read() {
        List<Told> events = new ArrayList<>();
        DaemonLog log = daemon.log().orElse(null);
        if (log == null) {
            return events;
        }
        try {
            // Two logs and what was cut off them.
            long most = 2 + 4 * daemon.setup.logCapBytes() / LogTail.MOST_AT_ONCE;
            for (long i = 0; i < most; i++) {
                List<DaemonLog.Entry> entries = log.poll();
                List<Told> told = told(entries);
                told.forEach(one -> daemon.see(new Observation.Logged(one.at(), one.event())));
                events.addAll(told);
                if (entries.isEmpty()) {
                    break;
                }
            }
        } catch (IOException e) {
            throw new MpsException(
                    "cannot read the logs of the MPS daemon " + daemon.spec().id() + " in "
                            + daemon.place.folders().log() + ": " + e + "; correct the owner",
                    e);
        }
        return events;
    }

    /** Within a millisecond, a server is told of before it writes itself, and its end comes behind all it wrote. */
    private List<Told> told(List<DaemonLog.Entry> entries) {
        List<Told> told = new ArrayList<>();
        Instant last = Instant.MIN;
        for (DaemonLog.Entry entry : entries) {
            Instant at = entry.line()
                    .written()
                    .map(written -> written.atZone(daemon.setup.zone()).toInstant())
                    .orElse(last.equals(Instant.MIN) ? entry.seen() : last);
            last = at;
            told.add(new Told(at, entry.event()));
        }
        told.sort(Comparator.comparing(Told::at).thenComparing(one -> one.event() instanceof MpsEvent.ServerExited));
        return told;
    }

    /** Cuts logs that have grown too long; what is in them has been read. */
    void cap() {
        try {
            DaemonLog.cap(daemon.place.folders(), daemon.setup.logCapBytes());
        } catch (IOException cannotBeCut) {
            // Another user's log, such as root's of a process that only looks: its owner cuts it.
            return;
        }
    }
}
