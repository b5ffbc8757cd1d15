// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The next picture while it is made: one for each observation. */
final class PictureDraft {
    private Optional<ProcessIdentity> daemon;
    private Optional<Instant> startedAt;
    private boolean starting;
    private boolean givenUp;
    private final List<Instant> deaths;
    private Optional<Instant> silentSince;
    private Optional<String> dirty;
    private List<Long> orphans;
    private Optional<Share> inForce;
    private Optional<Instant> inForceAt;
    private Optional<String> mismatch;
    private Optional<Instant> lastGood;
    private final CountersDraft counters;
    private final ServersDraft servers;

    PictureDraft(DaemonPicture from) {
        daemon = from.daemon();
        startedAt = from.startedAt();
        starting = from.starting();
        givenUp = from.givenUp();
        deaths = new ArrayList<>(from.deaths());
        silentSince = from.silentSince();
        dirty = from.dirty();
        orphans = from.orphans();
        inForce = from.inForce();
        inForceAt = from.inForceAt();
        mismatch = from.mismatch();
        lastGood = from.lastGood();
        counters = new CountersDraft(from.counters());
        servers = new ServersDraft(from, counters);
    }

    DaemonPicture picture() {
        return new DaemonPicture(
                daemon,
                startedAt,
                starting,
                givenUp,
                servers.servers,
                servers.clients,
                servers.pending,
                servers.failures,
                deaths,
                servers.words(),
                silentSince,
                dirty,
                orphans,
                inForce,
                inForceAt,
                mismatch,
                lastGood,
                servers.lost,
                servers.unlisted,
                counters.counters());
    }

    void take(Observation observation) {
        Instant at = observation.at();
        switch (observation) {
            case Observation.Logged(var _, var event) -> servers.log(at, event);
            case Observation.DaemonFound(var _, var process, var since) -> {
                daemon = Optional.of(process);
                startedAt = since;
                givenUp = false;
            }
            case Observation.Adopted _ -> counters.forget();
            case Observation.DaemonGone(var _, var unexpected) -> daemonGone(at, unexpected);
            case Observation.ProcessGone(var _, var pid) -> servers.processGone(at, pid);
            case Observation.Listed(var _, var words, var processes) -> servers.listed(words, processes);
            case Observation.DefaultsRead(var _, var share) -> {
                inForce = Optional.of(share);
                inForceAt = Optional.of(at);
            }
            case Observation.ServerRead(var _, var server, var share) ->
                servers.onServer(server, one -> one.withShare(share));
            case Observation.Commanded(var _, var timedOut) -> {
                counters.commanded(timedOut);
                silentSince = timedOut ? silentSince.or(() -> Optional.of(at)) : Optional.empty();
            }
            case Observation.Starting(var _, var begins) -> starting = begins;
            case Observation.Restarting _ -> counters.restarted();
            case Observation.GivenUp(var _, var given) -> {
                givenUp = given;
                if (!given) {
                    deaths.clear();
                }
            }
            case Observation.Dirty(var _, var sentence) -> dirty = sentence;
            case Observation.Orphans(var _, var pids) -> orphans = pids;
            case Observation.Terminated _ -> counters.clientTerminated();
            case Observation.Mismatch(var _, var sentence) -> {
                mismatch = sentence;
                lastGood = sentence.isEmpty() ? Optional.of(at) : lastGood;
            }
            case Observation.Unchanged _ ->
                lastGood = mismatch.isEmpty() && lastGood.filter(at::isAfter).isPresent() ? Optional.of(at) : lastGood;
        }
    }

    private void daemonGone(Instant at, boolean unexpected) {
        daemon = Optional.empty();
        startedAt = Optional.empty();
        silentSince = Optional.empty();
        inForce = Optional.empty();
        inForceAt = Optional.empty();
        mismatch = Optional.empty();
        servers.forget();
        if (unexpected) {
            deaths.removeIf(death -> !death.plus(RestartPolicy.WINDOW).isAfter(at));
            deaths.add(at);
        }
    }
}
