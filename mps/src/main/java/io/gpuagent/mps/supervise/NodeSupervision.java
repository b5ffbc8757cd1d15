// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsDeviceLoad;
import io.gpuagent.model.mps.MpsNodeView;
import io.gpuagent.mps.MpsException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** All daemons of a node. */
final class NodeSupervision implements MpsSupervision {
    private static final System.Logger LOG = System.getLogger(NodeSupervision.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final SupervisionSetup setup;
    private final DaemonStore store;
    private final ChangePlans plans;
    private final AtomicLong generation = new AtomicLong();
    private final SortedMap<String, ManagedDaemon> daemons = new TreeMap<>();
    private final Map<String, DaemonWatch> watches = new HashMap<>();
    // Records that cannot be read: said with each view, and left alone.
    private final SortedMap<String, String> unreadable = new TreeMap<>();
    private boolean watching;
    private boolean closed;

    NodeSupervision(SupervisionSetup setup) {
        this.setup = setup;
        store = new DaemonStore(setup.folders());
        plans = new ChangePlans(setup.ports().gpus());
        lookAtAll();
    }

    /** Takes in daemons that there is a new record of. */
    private void discover() {
        for (String id : store.idsBut(managed().keySet())) {
            synchronized (daemons) {
                if (!daemons.containsKey(id) && !closed) {
                    try {
                        store.read(id).ifPresent(this::manage);
                        unreadable.remove(id);
                    } catch (MpsException e) {
                        unreadable.put(id, String.valueOf(e.getMessage()));
                    }
                }
            }
        }
    }

    private ManagedDaemon manage(DaemonRecord record) {
        String id = record.spec().id();
        ManagedDaemon daemon = new ManagedDaemon(setup, store, record);
        daemons.put(id, daemon);
        if (watching) {
            watch(id, daemon);
        }
        return daemon;
    }

    private void watch(String id, ManagedDaemon daemon) {
        DaemonWatch watch = new DaemonWatch(id, daemon, setup.clock());
        watches.put(id, watch);
        watch.start();
    }

    @Override
    public void watch() {
        synchronized (daemons) {
            if (watching || closed) {
                return;
            }
            watching = true;
            daemons.forEach(this::watch);
        }
        Thread.ofPlatform().daemon().name("mps-records").start(this::discoverForEver);
    }

    private void discoverForEver() {
        try {
            while (!isClosed()) {
                setup.clock().sleepUntil(setup.clock().nanos() + EVERY.toNanos());
                try {
                    discover();
                } catch (MpsException e) {
                    LOG.log(System.Logger.Level.WARNING, "MPS daemons cannot be looked for: {0}", e.getMessage());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at each daemon once, as its watch does each second. */
    void lookAtAll() {
        discover();
        managed().values().forEach(ManagedDaemon::look);
    }

    private boolean isClosed() {
        synchronized (daemons) {
            return closed;
        }
    }

    private Map<String, ManagedDaemon> managed() {
        synchronized (daemons) {
            return new TreeMap<>(daemons);
        }
    }

    @Override
    public MpsNodeView view() {
        Instant now = setup.clock().now();
        GpuUse gpus = setup.ports().gpus();
        List<MpsDaemonView> views = new ArrayList<>();
        List<MpsDeviceLoad> loads = new ArrayList<>();
        for (ManagedDaemon daemon : managed().values()) {
            PictureView shown = daemon.shown();
            MpsDaemonView view = shown.daemon(gpus, now);
            views.add(view);
            if (view.pid().isPresent()) {
                shown.loads(view, gpus).forEach(loads::add);
            }
        }
        Surroundings surroundings = setup.ports().surroundings();
        List<String> limits = new ArrayList<>(surroundings.limits());
        synchronized (daemons) {
            limits.addAll(unreadable.values());
        }
        List<MpsDaemonView> told = views.stream()
                .map(view -> view.withReasons(surroundings.reasons(view, views)))
                .toList();
        return new MpsNodeView(
                generation.incrementAndGet(),
                now,
                told,
                surroundings.foreign(views),
                surroundings.bypasses(views),
                loads,
                List.of(),
                limits);
    }

    /** Looks first: a plan must name a client that has come within the last second, too. */
    private static void look(ManagedDaemon daemon) throws ChangeRefused {
        try {
            daemon.lookUnlessChanging();
        } catch (MpsException e) {
            throw new ChangeRefused(ChangeRefused.Kind.FAILED, String.valueOf(e.getMessage()));
        }
    }

    private MpsDaemonView viewOfNow(String id) throws ChangeRefused {
        ManagedDaemon daemon = find(id);
        try {
            daemon.look();
        } catch (MpsException e) {
            throw new ChangeRefused(ChangeRefused.Kind.FAILED, String.valueOf(e.getMessage()));
        }
        return daemon.shown().daemon(setup.ports().gpus(), setup.clock().now());
    }

    private ManagedDaemon find(String id) throws ChangeRefused {
        ManagedDaemon daemon = managed().get(id);
        if (daemon == null) {
            throw new ChangeRefused(
                    ChangeRefused.Kind.NOT_FOUND,
                    "there is no MPS daemon \"" + id.replaceAll("[^ -~]", "?") + "\"; there are "
                            + managed().keySet());
        }
        return daemon;
    }

    private void check(DaemonWish wish) throws ChangeRefused {
        List<DaemonRecord> others = managed().values().stream()
                .map(ManagedDaemon::shown)
                .filter(shown -> shown.record().run() != DaemonRecord.Run.STOPPED
                        || shown.picture().isRunning())
                .map(PictureView::record)
                .toList();
        new WishCheck(setup).check(wish, others);
    }

    @Override
    public Effect planStart(DaemonWish wish) throws ChangeRefused {
        ManagedDaemon known = managed().get(wish.id());
        if (known != null) {
            // The root helper may have stopped it a moment ago, in another process.
            look(known);
        }
        check(wish);
        if (known != null && known.shown().picture().isRunning()) {
            known.refuseOtherSettings(wish);
            return plans.alreadyRuns(known.isDraining());
        }
        return plans.start(wish);
    }

    @Override
    public Effect planStop(String id, StopMode mode) throws ChangeRefused {
        return plans.stop(viewOfNow(id), mode);
    }

    @Override
    public Effect planSet(String id, Share share) throws ChangeRefused {
        MpsDaemonView view = viewOfNow(id);
        new WishCheck(setup).share(share, view.devices());
        return plans.set(view, share);
    }

    @Override
    public Effect planTerminate(String id, long pid) throws ChangeRefused {
        return plans.terminate(viewOfNow(id), pid);
    }

    @Override
    public Change start(DaemonWish wish, Consumer<String> progress) throws ChangeRefused {
        DaemonSpec spec = DaemonSpec.of(wish, setup.host().uid());
        ManagedDaemon daemon;
        synchronized (daemons) {
            // Under the lock, so that of two wishes for one device one is refused.
            check(wish);
            ManagedDaemon known = daemons.get(wish.id());
            daemon = known == null ? create(spec) : known;
        }
        return daemon.start(spec, progress);
    }

    private ManagedDaemon create(DaemonSpec spec) throws ChangeRefused {
        DaemonRecord record = DaemonRecord.fresh(spec);
        try {
            store.write(record);
        } catch (MpsException e) {
            throw new ChangeRefused(ChangeRefused.Kind.NOT_ALLOWED, String.valueOf(e.getMessage()));
        }
        return manage(record);
    }

    @Override
    public Change stop(String id, StopMode mode, Duration deadline, Consumer<String> progress) throws ChangeRefused {
        return find(id).stop(mode, deadline, progress);
    }

    @Override
    public Change set(String id, Share share, Consumer<String> progress) throws ChangeRefused {
        return find(id).set(share, progress);
    }

    @Override
    public Change terminateClient(String id, long pid, Consumer<String> progress) throws ChangeRefused {
        return find(id).terminateClient(pid, progress);
    }

    @Override
    public Change resume(String id, Consumer<String> progress) throws ChangeRefused {
        return find(id).resume(progress);
    }

    @Override
    public Effect planCallOffDrain(String id) throws ChangeRefused {
        ManagedDaemon daemon = find(id);
        daemon.refuseWithoutDrain();
        return plans.alreadyRuns(true);
    }

    @Override
    public Change callOffDrain(String id, Consumer<String> progress) throws ChangeRefused {
        return find(id).callOffDrain(progress);
    }

    @Override
    public void close() {
        List<DaemonWatch> ending;
        synchronized (daemons) {
            closed = true;
            ending = List.copyOf(watches.values());
        }
        ending.forEach(DaemonWatch::end);
    }
}
