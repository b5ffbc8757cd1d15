// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health;

import io.gpuagent.health.catalogue.XidCatalogue;
import io.gpuagent.health.fold.HealthFold;
import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import io.gpuagent.health.fold.NodeView;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.health.fold.Sources;
import io.gpuagent.health.store.HealthStore;
import io.gpuagent.health.store.StoreWriter;
import io.gpuagent.host.kernel.KernelLogListener;
import io.gpuagent.host.kernel.KernelLogRecord;
import io.gpuagent.host.kernel.KernelLogState;
import io.gpuagent.host.kernel.NvidiaModule;
import io.gpuagent.host.kernel.PreviousBootLog;
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthSource;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Watches over the node's health. Whoever sees something says so by {@link #observe}, from any thread; what follows is there
 * when it returns, after microseconds. Nothing here waits for a disk or a driver.
 */
public final class HealthMonitor implements KernelLogListener, AutoCloseable {
    private static final String SWITCHED_OFF =
            "the driver writes no Xids to the kernel's log (RmLogonRC=0); load the module without that parameter";

    private final HealthFold fold;
    private final XidCatalogue catalogue;
    private final Clock clock;
    private final String boot;
    private final Supplier<NvidiaModule> module;
    private final StoreWriter writer;

    private NodeFacts facts;

    private HealthMonitor(HealthStore store, NodeFacts facts, String boot, Supplier<NvidiaModule> module, Clock clock) {
        this.catalogue = XidCatalogue.builtIn();
        this.fold = new HealthFold(catalogue);
        this.clock = clock;
        this.boot = boot;
        this.module = module;
        this.facts = facts;
        this.writer = StoreWriter.start(store, clock, this::stored);
    }

    /**
     * Goes on from what is stored.
     *
     * @param store where incidents are kept
     * @param boot the boot's id
     * @param module what the kernel knows of the driver, asked when the log was opened
     * @param clock the time
     * @return the monitor
     */
    public static HealthMonitor start(HealthStore store, String boot, Supplier<NvidiaModule> module, Clock clock) {
        Moment now = new Moment(clock.nanos(), clock.now());
        HealthStore.Loaded loaded = store.load(now);
        HealthMonitor monitor = new HealthMonitor(store, loaded.facts(), boot, module, clock);
        loaded.problem()
                .ifPresent(problem -> monitor.observe(
                        new Observation.SourceChanged(now, Sources.STORE, SourceStatus.State.FAILED, problem)));
        monitor.observe(new Observation.Started(now, boot));
        return monitor;
    }

    /**
     * The present moment, for an observation.
     *
     * @return now
     */
    public Moment now() {
        return new Moment(clock.nanos(), clock.now());
    }

    /**
     * Takes something that was seen.
     *
     * @param seen what was seen
     */
    public void observe(Observation seen) {
        NodeFacts after;
        synchronized (this) {
            after = fold.after(facts, seen);
            facts = after;
            writer.offer(after);
        }
    }

    /**
     * Adds what the journal kept of the log before the last restart. What was seen when it happened is not added again.
     *
     * @param lines the messages
     */
    public void addPreviousBoot(List<PreviousBootLog.Line> lines) {
        Moment now = now();
        for (PreviousBootLog.Line line : lines) {
            // Under a clock that was wrong then, a message may lie ahead; it was before now all the same.
            long age = Math.max(0, Duration.between(line.at(), now.wall()).toNanos());
            observe(new Observation.KernelMessage(
                    now.minusNanos(age), "before " + boot, -1, true, HealthSource.JOURNAL, line.text()));
        }
    }

    /**
     * How the node is.
     *
     * @return the view, as of now
     */
    public NodeHealth view() {
        return NodeView.of(facts(), now(), catalogue);
    }

    /**
     * The latest events.
     *
     * @param after the number of the last event that is already known; 0 for none
     * @return those after it, the oldest first
     */
    public List<HealthEvent> events(long after) {
        return facts().events().stream().filter(event -> event.number() > after).toList();
    }

    /**
     * Acknowledges an incident.
     *
     * @param incident its id
     * @param who the user's name
     * @param why the reason
     * @param within how long to wait for the disk
     * @return whether it is stored; where it is not, it holds until the agent ends
     * @throws InterruptedException when interrupted
     */
    public boolean acknowledge(String incident, String who, String why, Duration within) throws InterruptedException {
        observe(new Observation.Acknowledged(now(), incident, who, why));
        return writer.awaitStored(facts().revision(), within);
    }

    private synchronized NodeFacts facts() {
        return facts;
    }

    private void stored(StoreWriter.Status status) {
        observe(new Observation.SourceChanged(
                now(),
                Sources.STORE,
                status.isWritten() ? SourceStatus.State.OK : SourceStatus.State.FAILED,
                status.detail()));
    }

    @Override
    public void record(KernelLogRecord log, long ageNanos) {
        observe(new Observation.KernelMessage(
                now().minusNanos(ageNanos), boot, log.sequence(), log.isFromKernel(), HealthSource.KMSG, log.text()));
    }

    @Override
    public void lost(long records) {
        observe(new Observation.KernelLogLost(now(), records));
    }

    @Override
    public void broken() {
        observe(new Observation.KernelLogBroken(now()));
    }

    @Override
    public void changed(KernelLogState state, String detail) {
        boolean isSwitchedOff = state == KernelLogState.OPEN
                && module.get().logsXids().filter(logs -> !logs).isPresent();
        SourceStatus.State is = switch (state) {
            case OPEN -> isSwitchedOff ? SourceStatus.State.DISABLED : SourceStatus.State.OK;
            case DENIED -> SourceStatus.State.DENIED;
            case ABSENT -> SourceStatus.State.ABSENT;
            case FAILED -> SourceStatus.State.FAILED;
            case CLOSED -> SourceStatus.State.STARTING;
        };
        observe(new Observation.SourceChanged(now(), Sources.KERNEL_LOG, is, isSwitchedOff ? SWITCHED_OFF : detail));
    }

    /** Stores what is left. */
    @Override
    public void close() {
        writer.close();
    }
}
