// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsCounters;
import io.gpuagent.model.mps.MpsPendingView;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All that is known of one daemon. {@link #after} is the only way from one picture to the next, and it looks at nothing
 * but the observation.
 *
 * @param daemon its process
 * @param startedAt when that started
 * @param starting whether it was started and has not proven yet that it answers
 * @param givenUp whether it died too often
 * @param servers its servers by pid
 * @param clients its clients by pid
 * @param pending who waits for a server
 * @param failures when servers failed, in the last minute
 * @param deaths when it died
 * @param words what a server said last about why it failed
 * @param silentSince when it stopped answering
 * @param dirty what cannot be proven to be ours
 * @param orphans servers that live without it
 * @param inForce its defaults as read back
 * @param inForceAt when they were
 * @param mismatch what is in force and not wanted
 * @param lastGood when it was last read back that all is in force
 * @param lost processes of servers that were seen to be gone before the log told of it
 * @param unlisted servers that the daemon's newest list lacks, though no log has told of their end
 * @param counters what has happened
 */
record DaemonPicture(
        Optional<ProcessIdentity> daemon,
        Optional<Instant> startedAt,
        boolean starting,
        boolean givenUp,
        SortedMap<Long, ServerPicture> servers,
        SortedMap<Long, ClientPicture> clients,
        List<MpsPendingView> pending,
        List<Instant> failures,
        List<Instant> deaths,
        Optional<String> words,
        Optional<Instant> silentSince,
        Optional<String> dirty,
        List<Long> orphans,
        Optional<Share> inForce,
        Optional<Instant> inForceAt,
        Optional<String> mismatch,
        Optional<Instant> lastGood,
        List<Long> lost,
        List<Long> unlisted,
        MpsCounters counters) {
    /** Nothing is known and nothing runs. */
    static final DaemonPicture NOTHING = new DaemonPicture(
            Optional.empty(),
            Optional.empty(),
            false,
            false,
            new TreeMap<>(),
            new TreeMap<>(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            MpsCounters.NONE);

    DaemonPicture {
        servers = Collections.unmodifiableSortedMap(new TreeMap<>(servers));
        clients = Collections.unmodifiableSortedMap(new TreeMap<>(clients));
        pending = List.copyOf(pending);
        failures = List.copyOf(failures);
        deaths = List.copyOf(deaths);
        orphans = List.copyOf(orphans);
        lost = List.copyOf(lost);
        unlisted = List.copyOf(unlisted);
    }

    DaemonPicture after(Observation observation) {
        PictureDraft draft = new PictureDraft(this);
        draft.take(observation);
        return draft.picture();
    }

    boolean isRunning() {
        return daemon.isPresent();
    }
}
