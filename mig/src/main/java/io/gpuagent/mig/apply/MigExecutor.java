// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.host.HostView;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.mig.read.MigReader;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.time.Clock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Changes the MIG layout of one GPU. One operation at a time, in this process and among all processes with the same
 * folder; another one is refused at once. The end of a change is the wanted layout or the one before. Where that cannot be
 * reached now, the journal keeps what is to be done, and {@link #recover}, which every operation begins with, goes on.
 *
 * <p>All methods block, for minutes at the worst; NVML is called on a thread of its own.
 */
public final class MigExecutor {
    private static final String HOW = "; a recovery, with which every change begins, brings it to an end";

    private final Operation.Tools tools;
    private final History history;
    private volatile Optional<Lane> lane = Optional.empty();

    /**
     * An executor.
     *
     * @param gpu the GPU
     * @param folder where its lock, journal, ownership and history are kept; only for this GPU
     * @param source initialises NVML for control
     * @param claims what the host knows of those who use instances
     * @param ports others that have a part in it
     * @param clock for deadlines, pauses and the time of day
     */
    public MigExecutor(
            GpuIdentity gpu, Path folder, NvmlSource source, HostClaims claims, MigPorts ports, Clock clock) {
        this(gpu, folder, source, claims, ports, clock, Limits.STANDARD, Disk.REAL);
    }

    /**
     * An executor with limits and a disk of its own.
     *
     * @param gpu the GPU
     * @param folder where its files are kept
     * @param source initialises NVML for control
     * @param claims what the host knows
     * @param ports others that have a part in it
     * @param clock the clock
     * @param limits how long and how often
     * @param disk how files are written
     */
    public MigExecutor(
            GpuIdentity gpu,
            Path folder,
            NvmlSource source,
            HostClaims claims,
            MigPorts ports,
            Clock clock,
            Limits limits,
            Disk disk) {
        tools = new Operation.Tools(
                gpu, folder, source, new MigReader(claims), ports, clock, limits, disk, HostView.real());
        history = new History(disk, folder.resolve("history"));
    }

    /**
     * Carries a plan out.
     *
     * @param plan the plan; it holds for the layout that it was made from
     * @param progress is told how it goes on
     * @param isCancelled asked before each step; true brings everything back
     * @return what came of it
     */
    public ApplyResult apply(Plan plan, Progress progress, BooleanSupplier isCancelled) {
        try (Operation operation = begin(true)) {
            new MigModeChange(operation, tools).recover();
            return ended(operation, new Change(operation, tools, progress).apply(plan, isCancelled));
        } catch (MigException e) {
            return new ApplyResult.Refused(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Brings a change to its end that was cut off, by a crash or by a call that did not return. To be called when the
     * agent starts, before anything else is done with MIG.
     *
     * @param progress is told how it goes on
     * @return what came of it: done, or rolled back; empty where there was none
     */
    public Optional<ApplyResult> recover(Progress progress) {
        try (Operation operation = begin(false)) {
            Optional<ApplyResult> mode = new MigModeChange(operation, tools).recover();
            return new Change(operation, tools, progress)
                    .recover()
                    .map(result -> ended(operation, result))
                    .or(() -> mode);
        } catch (MigException e) {
            return Optional.of(new ApplyResult.LeftAsItIs(String.valueOf(e.getMessage())));
        }
    }

    private Operation begin(boolean isChange) throws MigException {
        Optional<String> stuck = lane.flatMap(Lane::stuck);
        if (stuck.isPresent()) {
            throw new MigException(
                    MigException.Cause.OVERDUE,
                    "the call " + stuck.get() + " of an earlier change of GPU "
                            + tools.gpu().index() + " has not returned; nothing else is begun before it has");
        }
        Lane own = new Lane(tools.clock(), "mig-" + tools.gpu().index());
        Operation operation = null;
        try {
            operation = Operation.begin(tools, own, isChange);
            return operation;
        } finally {
            if (operation != null || own.stuck().isPresent()) {
                lane = Optional.of(own);
            }
            if (operation == null) {
                own.close();
            }
        }
    }

    /** What follows behind a change that is at its end. */
    private ApplyResult ended(Operation operation, ApplyResult result) {
        return switch (result) {
            case ApplyResult.Done done ->
                new ApplyResult.Done(
                        done.now(), done.retries(), with(done.notes(), startTenants(operation, done.now())));
            case ApplyResult.RolledBack back ->
                new ApplyResult.RolledBack(
                        back.why(), back.now(), with(back.notes(), startTenants(operation, back.now())));
            case ApplyResult.LeftAsItIs left -> left;
            case ApplyResult.Refused refused -> refused;
        };
    }

    private Optional<String> startTenants(Operation operation, MigFacts now) {
        operation.letGo();
        try {
            tools.ports().tenants().start(tools.gpu(), now);
            return Optional.empty();
        } catch (MigException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static List<String> with(List<String> notes, Optional<String> more) {
        List<String> all = new ArrayList<>(notes);
        more.ifPresent(all::add);
        return all;
    }

    /**
     * Reads the GPU, with whose its instances are: to plan from. Pages and series are better served by a
     * {@link MigReader} on the GPU's own thread, which takes no lock.
     *
     * @return how it is
     * @throws MigException where another operation is under way, a change is not at its end, or NVML refuses
     */
    public MigFacts read() throws MigException {
        try (Operation operation = begin(false)) {
            return read(operation);
        }
    }

    /**
     * Reads the GPU and what is written down about it. A change that was cut off is left so, and told.
     *
     * @return all that is known
     * @throws MigException where another operation is under way, or NVML refuses
     */
    public MigState look() throws MigException {
        try (Operation operation = begin(false)) {
            MigFacts facts = operation.driver().read(operation.ownership());
            Optional<String> unfinished = operation
                    .journal()
                    .last()
                    .filter(ChangeRecord::isOpen)
                    .map(change -> "the change that was begun at " + change.at() + " was cut off" + HOW)
                    .or(() -> operation.mode().open().map(_ -> "a change of the MIG mode was cut off" + HOW));
            return new MigState(facts, unfinished, operation.ownership().problem(), history.entries());
        }
    }

    private MigFacts read(Operation operation) throws MigException {
        new MigModeChange(operation, tools).recover();
        Change change = new Change(operation, tools, Progress.NONE);
        if (change.recover().orElse(null) instanceof ApplyResult.LeftAsItIs(String why)) {
            throw new MigException(MigException.Cause.HELD, "an earlier change is not at its end: " + why);
        }
        return operation.driver().read(operation.ownership());
    }

    /**
     * Takes a foreign instance for ours, so that plans may move it.
     *
     * @param gpuInstance its id
     * @return how the GPU is now
     * @throws MigException where there is no such instance, or it cannot be written down
     */
    public MigFacts adopt(int gpuInstance) throws MigException {
        try (Operation operation = begin(false)) {
            MigFacts facts = read(operation);
            GpuInstance instance = facts.gpu().instances().stream()
                    .filter(each -> each.id() == gpuInstance)
                    .findFirst()
                    .orElseThrow(() -> new MigException(
                            MigException.Cause.CHANGED,
                            "there is no GPU instance " + gpuInstance + " on GPU "
                                    + tools.gpu().index() + " to adopt"));
            operation.ownership().retain(facts.gpu());
            operation.ownership().adopt(instance);
            operation.layout().save(facts, operation.ownership());
            return operation.driver().read(operation.ownership());
        }
    }

    /**
     * Lets a change be that can be brought to neither of its ends, as when somebody else has taken the place: what there
     * is stays, and is planned from. For people who have looked at it.
     *
     * @return how the GPU is
     * @throws MigException where another operation is under way, or NVML refuses
     */
    public MigFacts abandon() throws MigException {
        try (Operation operation = begin(false)) {
            return new Change(operation, tools, Progress.NONE).abandon();
        }
    }

    /**
     * The changes that were carried out.
     *
     * @return their history
     */
    public History history() {
        return history;
    }

    /**
     * Plans the way back to the layout before the last change that was carried out.
     *
     * @param planner the planner
     * @return the plan, or why there is none; empty where no change is known
     * @throws MigException as {@link #read()}
     */
    public Optional<PlanOutcome> planRollback(Planner planner) throws MigException {
        MigFacts now = read();
        return history.last()
                .map(change -> planner.plan(now.gpu(), change.before().wanted(now.gpu())));
    }

    /**
     * Makes the layout again that a boot or a reload of the driver has taken, on a GPU that has nothing.
     *
     * @param load names this load of the driver: looked at once
     * @param progress is told how it goes on
     * @return what came of it
     */
    public RestoreResult restore(String load, Progress progress) {
        try (Operation operation = begin(true)) {
            return new Restore(operation, tools, progress).run(load);
        } catch (MigException e) {
            return new RestoreResult.Failed(e.reason(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Turns the MIG mode on or off.
     *
     * @param enabled on
     * @param leavePending whether a mode that cannot become active now may stay pending
     * @return what came of it
     */
    public MigModeResult setMode(boolean enabled, boolean leavePending) {
        try (Operation operation = begin(true)) {
            MigModeChange change = new MigModeChange(operation, tools);
            change.recover();
            return change.set(enabled, leavePending);
        } catch (MigException e) {
            return new MigModeResult.Failed(String.valueOf(e.getMessage()), false);
        }
    }
}
