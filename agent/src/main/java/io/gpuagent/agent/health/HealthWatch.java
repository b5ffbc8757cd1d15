// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.health;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.poll.EventStatus;
import io.gpuagent.agent.poll.GpuEvent;
import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.fold.HealthFold;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.NodeView;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.health.fold.Sources;
import io.gpuagent.health.store.HealthStore;
import io.gpuagent.health.store.StoreWriter;
import io.gpuagent.host.HostView;
import io.gpuagent.host.kernel.KernelLogDevice;
import io.gpuagent.host.kernel.KernelLogReader;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.Incident;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of this node as it goes on: folds in what comes, each second what was polled, and keeps it on disk. Whoever
 * brings something folds it on its own thread, which takes microseconds, so that nothing queues up; reading never waits.
 * The disk has a thread of its own: one that hangs costs the store and nothing else.
 */
public final class HealthWatch implements HealthViews, AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration STORED_WITHIN = Duration.ofSeconds(2);
    /** How often the node's files are looked at; in ticks. */
    private static final int NODE_TICKS = 10;
    /** The eventData of an Xid error whose number the driver does not know (nvmlEventTypeXidCriticalError). */
    private static final long UNKNOWN_XID = 999;

    private static final System.Logger LOG = System.getLogger(HealthWatch.class.getName());

    private final Parts parts;
    private final XidCatalogue catalogue = XidCatalogue.builtIn();
    private final HealthFold fold = new HealthFold(catalogue);
    private final PolledGpus polled = new PolledGpus();
    private final Thread ticking;
    private volatile @Nullable StoreWriter writer;
    private @Nullable KernelLogReader kernelLog;
    private volatile boolean stopping;

    // Of the thread that ticks.
    private int ticks;
    private Optional<DriverState.Reason> seenDown = Optional.empty();
    private String saidFault = "";

    // Written under the lock, read by anybody.
    private volatile NodeFacts facts = NodeFacts.NOTHING;

    /**
     * What it works with.
     *
     * @param host the machine
     * @param boot which start of the machine this is
     * @param clock the time
     * @param store where the facts are kept
     * @param kernelLog the kernel's log
     * @param snapshots the newest snapshot of the GPUs
     * @param events how far NVML's events can be relied on
     * @param look looks at what no GPU owns
     * @param readSoon has a GPU's slow readings read in its next round, by its UUID
     */
    public record Parts(
            HostView host,
            String boot,
            Clock clock,
            HealthStore store,
            KernelLogDevice kernelLog,
            Supplier<NodeSnapshot> snapshots,
            Supplier<EventStatus> events,
            NodeLook look,
            Consumer<String> readSoon) {}

    /**
     * A watch that is not started yet.
     *
     * @param parts what it works with
     */
    public HealthWatch(Parts parts) {
        this.parts = parts;
        this.ticking = Thread.ofPlatform().name("health").daemon().unstarted(this::tick);
    }

    /** Takes up what was known before, and begins to watch. */
    public void start() {
        HealthStore.Loaded before = parts.store().load(now());
        facts = before.facts();
        writer = StoreWriter.start(parts.store(), parts.clock(), this::stored);
        fold(new Observation.Started(now(), parts.boot()));
        before.problem().ifPresent(why -> LOG.log(WARNING, "the store of incidents: {0}", why));
        kernelLog = KernelLogReader.start(
                parts.kernelLog(),
                parts.host(),
                new KernelLogIntake(parts.boot(), parts.host(), this::now, this::fold),
                parts.clock());
        ticking.start();
    }

    /**
     * An event that NVML told of.
     *
     * @param event the event
     */
    public void event(GpuEvent event) {
        String uuid = event.gpu().map(GpuIdentity::uuid).orElse("");
        if (!uuid.isEmpty() && !event.isMigChange()) {
            fold(new Observation.NvmlEvent(
                    now(),
                    uuid,
                    event.bits(),
                    event.isXid() ? event.xid().orElse(UNKNOWN_XID) : 0,
                    event.gpuInstanceId(),
                    event.computeInstanceId()));
            if (event.isRecoveryAction()) {
                // The event does not say what helps; the reading does, which is due in seconds only.
                parts.readSoon().accept(uuid);
            }
        }
    }

    @Override
    public NodeHealth view() {
        return NodeView.of(facts, now(), catalogue);
    }

    @Override
    public long revision() {
        return facts.revision();
    }

    /**
     * What has changed.
     *
     * @param after the number of the last event that is known already; 0 for none
     * @return those behind it that are still kept, the oldest first
     */
    public List<HealthEvent> events(long after) {
        return facts.events().stream().filter(event -> event.number() > after).toList();
    }

    /**
     * The number of the last event.
     *
     * @return 0 where there was none yet
     */
    public long lastEvent() {
        return facts.nextEvent() - 1;
    }

    /**
     * Somebody answers for an incident.
     *
     * @param incident its id
     * @param who the user's name
     * @param why the reason
     * @return the incident as it is then; empty where there is none of that id that is open
     * @throws InterruptedException when interrupted while it is being stored; it counts all the same
     */
    public Optional<Incident> acknowledge(String incident, String who, String why) throws InterruptedException {
        if (incident(incident).filter(Incident::isOpen).isEmpty()) {
            return Optional.empty();
        }
        fold(new Observation.Acknowledged(now(), incident, who, why));
        StoreWriter storing = writer;
        if (storing != null) {
            // Whoever is told that it is known may rely on it; a disk that hangs shows as a source that fails.
            storing.awaitStored(facts.revision(), STORED_WITHIN);
        }
        return incident(incident);
    }

    private Optional<Incident> incident(String id) {
        return view().incidents().stream().filter(each -> each.id().equals(id)).findFirst();
    }

    private Moment now() {
        return new Moment(parts.clock().nanos(), parts.clock().now());
    }

    private void fold(Observation seen) {
        NodeFacts before;
        NodeFacts after;
        synchronized (this) {
            before = facts;
            after = fold.after(before, seen);
            facts = after;
            // Under the lock, or facts that another thread has overtaken would be stored last.
            StoreWriter storing = writer;
            if (storing != null) {
                storing.offer(after);
            }
        }
        if (after.nextEvent() != before.nextEvent()) {
            // What the GPU itself says of it outranks the table of Xids, so it is asked at once.
            after.events().stream()
                    .filter(event -> event.number() >= before.nextEvent())
                    .map(HealthEvent::gpu)
                    .distinct()
                    .forEach(parts.readSoon());
        }
    }

    private void tick() {
        try {
            while (!stopping) {
                lookOrSay();
                parts.clock().sleepUntil(parts.clock().nanos() + TICK.toNanos());
            }
        } catch (InterruptedException e) {
            // close() ends it.
        }
    }

    /** A fault of our own costs this look, never the watch: verdicts that nobody renews would stay as good as they were. */
    private void lookOrSay() {
        try {
            look();
            saidFault = "";
        } catch (RuntimeException | Error e) {
            if (!saidFault.equals(e.toString())) {
                saidFault = e.toString();
                LOG.log(ERROR, "a look at the health of the node failed in the agent itself: " + e, e);
            }
        }
    }

    private void look() {
        NodeSnapshot snapshot = parts.snapshots().get();
        Moment now = now();
        fold(events(now));
        // A driver that has gone, or was let go of, must not leave GPUs well until the next look.
        if (ticks++ % NODE_TICKS == 0 || !down(snapshot).equals(seenDown)) {
            seenDown = down(snapshot);
            fold(new Observation.NodePolled(now, parts.look().at(snapshot)));
        }
        snapshot.gpus().forEach(gpu -> polled.of(gpu).ifPresent(poll -> fold(new Observation.GpuPolled(now, poll))));
        fold(new Observation.TimePassed(now));
    }

    private static Optional<DriverState.Reason> down(NodeSnapshot snapshot) {
        return snapshot.driver() instanceof DriverState.Down down ? Optional.of(down.reason()) : Optional.empty();
    }

    private Observation events(Moment now) {
        EventStatus status = parts.events().get();
        boolean isOnly = status.gpus().isEmpty() && !status.without().isEmpty();
        return switch (status.state()) {
            case DOWN -> source(now, SourceStatus.State.STARTING, status.detail());
            case FAILING -> source(now, SourceStatus.State.FAILED, status.detail());
            case WATCHING ->
                isOnly
                        ? source(
                                now,
                                SourceStatus.State.DISABLED,
                                "no GPU tells events: "
                                        + status.without().values().iterator().next())
                        : source(now, SourceStatus.State.OK, "");
        };
    }

    private static Observation source(Moment now, SourceStatus.State state, String detail) {
        return new Observation.SourceChanged(now, Sources.NVML_EVENTS, state, detail);
    }

    private void stored(StoreWriter.Status status) {
        fold(new Observation.SourceChanged(
                now(),
                Sources.STORE,
                status.isWritten() ? SourceStatus.State.OK : SourceStatus.State.FAILED,
                status.detail()));
    }

    /** Ends; what was not stored yet is stored, unless the disk hangs. */
    @Override
    public void close() {
        stopping = true;
        if (kernelLog != null) {
            kernelLog.close();
        }
        ticking.interrupt();
        if (writer != null) {
            writer.offer(facts);
            writer.close();
        }
    }
}
