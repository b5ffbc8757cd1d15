// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.mps.control.Answer;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.Exchange;
import io.gpuagent.mps.control.Generation;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.log.DaemonLog;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One daemon while this process runs: its record, its picture and the way to it. Used under its owner's lock. */
final class LiveDaemon {
    final SupervisionSetup setup;
    final DaemonStore store;
    final DaemonPlace place;
    final Map<Long, ClientFacts> facts = new HashMap<>();
    private DaemonRecord record;
    private Optional<DaemonStore.Version> version = Optional.empty();
    private DaemonPicture picture = DaemonPicture.NOTHING;
    private Optional<ControlClient> control = Optional.empty();
    private Optional<DaemonLog> log = Optional.empty();
    private volatile PictureView shown;

    LiveDaemon(SupervisionSetup setup, DaemonStore store, DaemonRecord record) {
        this.setup = setup;
        this.store = store;
        this.record = record;
        place = DaemonPlace.of(setup.folders(), record.spec().id());
        version = store.version(record.spec().id());
        shown = view();
    }

    DaemonRecord record() {
        return record;
    }

    DaemonSpec spec() {
        return record.spec();
    }

    DaemonPicture picture() {
        return picture;
    }

    Instant now() {
        return setup.clock().now();
    }

    long nanos() {
        return setup.clock().nanos();
    }

    void sleep(Duration time) throws InterruptedException {
        setup.clock().sleepUntil(nanos() + time.toNanos());
    }

    void see(Observation observation) {
        picture = picture.after(observation);
    }

    void publish() {
        shown = view();
    }

    private PictureView view() {
        return new PictureView(
                record,
                picture,
                facts,
                place,
                control.map(ControlClient::generation).orElse(Generation.LEGACY).clientContexts());
    }

    /** The newest view that was published; any thread may ask. */
    PictureView shown() {
        return shown;
    }

    /** Keeps a record on disk before anything is done that it tells of. */
    void save(DaemonRecord next) {
        store.write(next);
        record = next;
        version = store.version(next.spec().id());
    }

    /** Another process of this agent may have made a change. */
    boolean reload() {
        Optional<DaemonStore.Version> now = store.version(spec().id());
        if (now.equals(version)) {
            return false;
        }
        version = now;
        Optional<DaemonRecord> fresh = store.read(spec().id());
        fresh.ifPresent(other -> record = other);
        return fresh.isPresent();
    }

    /** All that the daemon gets, and what only the unit's command line needs. */
    void writeEnvironment(Share share) {
        Map<String, String> variables =
                new LinkedHashMap<>(MpsEnvironment.ofDaemon(setup.host(), place.folders(), spec().devices(), share));
        variables.put(EnvironmentFile.MARK, spec().id());
        if (spec().multiUser()) {
            variables.put(EnvironmentFile.OPTIONS, DetachedLauncher.MULTI_USER);
        }
        place.environment().write(variables);
    }

    DaemonLauncher launcher() {
        return setup.ports().launcher();
    }

    DaemonLauncher.Launch launch() {
        return new DaemonLauncher.Launch(
                spec().id(),
                spec().devices(),
                spec().multiUser(),
                place.folders(),
                place.environment().path());
    }

    /** The client; its program's version is asked for once. */
    Answer<ControlClient> control() {
        if (control.isPresent()) {
            return new Answer.Value<>(control.get());
        }
        Answer<ControlClient> opened = ControlClient.open(
                setup.ports().transports().to(place.folders()), spec().devices().size(), this::sent, setup.clock());
        control = opened.value();
        return opened;
    }

    private void sent(String command, Exchange exchange, long nanos) {
        if (!command.equals("-v")) {
            see(new Observation.Commanded(now(), exchange instanceof Exchange.TimedOut));
        }
    }

    Optional<DaemonLog> log() {
        return log;
    }

    void follow(DaemonLog fresh) {
        log = Optional.of(fresh);
    }
}
