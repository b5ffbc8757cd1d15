// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.Claim;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.Step;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One change within an operation: forwards, back where a step fails, and on from where an earlier one was cut off. */
final class Change {
    /** Of the way back, when somebody else changes the layout meanwhile. */
    private static final int ROUNDS = 3;

    private final Operation operation;
    private final Operation.Tools tools;
    private final StepRunner runner;
    private final Journal journal;
    private final Progress progress;

    Change(Operation operation, Operation.Tools tools, Progress progress) {
        this.operation = operation;
        this.tools = tools;
        this.journal = operation.journal();
        this.progress = progress;
        this.runner = new StepRunner(
                operation.driver(),
                journal,
                operation.ownership(),
                tools.clock(),
                tools.limits(),
                tools.ports().holders(),
                progress);
    }

    /**
     * Carries a plan out.
     *
     * @throws MigException where nothing was touched
     */
    ApplyResult apply(Plan plan, BooleanSupplier isCancelled) throws MigException {
        Optional<ApplyResult> earlier = recover();
        if (earlier.orElse(null) instanceof ApplyResult.LeftAsItIs(String why)) {
            throw new MigException(MigException.Cause.HELD, "an earlier change is not at its end: " + why);
        }
        MigFacts facts = runner.read();
        check(plan, facts);
        operation.ownership().retain(facts.gpu());
        if (plan.isNoChange()) {
            return new ApplyResult.Done(facts, 0, List.of());
        }
        SavedLayout after = SavedLayout.after(plan);
        journal.plan(tools.clock().now(), SavedLayout.of(facts.gpu()), after);
        prepare(plan, facts, after);
        MigFacts current = facts;
        try {
            int number = 0;
            for (Step step : plan.steps()) {
                if (isCancelled.getAsBoolean()) {
                    throw new MigException(MigException.Cause.HELD, "the change was cancelled");
                }
                current = runner.run(step, ++number, plan.steps().size(), current);
            }
            return committed(current);
        } catch (MigException e) {
            return failed(e);
        }
    }

    private void check(Plan plan, MigFacts facts) throws MigException {
        int index = operation.gpu().index();
        if (!plan.before().identity().uuid().equals(operation.gpu().uuid())) {
            throw new MigException(MigException.Cause.CHANGED, "the plan was made for another GPU than " + index);
        }
        if (!facts.enabled()) {
            throw new MigException(
                    MigException.Cause.REFUSED,
                    "MIG mode is off on GPU " + index
                            + (facts.pending() ? " and pending: reset the GPU or reboot" : "; enable it first"));
        }
        StepRunner.requireSame(plan.before(), facts.gpu());
        for (GpuInstance instance : facts.gpu().instances()) {
            for (Step step : plan.steps()) {
                check(step, instance);
            }
        }
    }

    /** The plan was made from facts that may have changed since: whose an instance is, and who uses it. */
    private static void check(Step step, GpuInstance now) throws MigException {
        boolean isAll = step instanceof Step.DestroyGpuInstance whole
                && whole.instance().id() == now.id();
        int compute = step instanceof Step.DestroyCompute part && part.of().id() == now.id()
                ? part.compute().id()
                : -1;
        if (!isAll && compute < 0) {
            return;
        }
        if (now.ownership() == Ownership.FOREIGN) {
            throw new MigException(
                    MigException.Cause.HELD, now.label() + " is not gpu-agent's; adopt it to have it destroyed");
        }
        for (Claim claim : now.claims()) {
            boolean isUse = claim instanceof Claim.Runs || claim instanceof Claim.HoldsNode;
            boolean isThere = isAll
                    || claim.computeInstance().isEmpty()
                    || claim.computeInstance().getAsInt() == compute;
            if (isUse && isThere) {
                throw new MigException(MigException.Cause.HELD, now.label() + " is busy: " + claim.words());
            }
        }
    }

    /** The last things that can go wrong before anything is touched. */
    private void prepare(Plan plan, MigFacts facts, SavedLayout after) throws MigException {
        Set<String> going = new LinkedHashSet<>();
        for (Step step : plan.steps()) {
            if (step instanceof Step.DestroyCompute destroy) {
                for (MigDeviceFacts device : facts.devicesOf(destroy.of().id())) {
                    if (device.computeInstance() == destroy.compute().id()) {
                        going.add(device.uuid());
                    }
                }
            }
        }
        try {
            Set<Piece> claimed = new HashSet<>();
            after.instances().forEach(instance -> claimed.add(instance.piece()));
            claimed.removeAll(Piece.all(facts.gpu()));
            operation.ownership().claim(claimed);
            if (!going.isEmpty()) {
                tools.ports().tenants().stop(operation.gpu(), facts, going);
                StepRunner.requireSame(facts.gpu(), runner.read().gpu());
            }
        } catch (MigException e) {
            if (e.reason() != MigException.Cause.OVERDUE) {
                journal.note(Journal.Kind.ROLLED_BACK, "");
                tools.ports().tenants().start(operation.gpu(), facts);
            }
            throw e;
        }
    }

    private ApplyResult committed(MigFacts now) throws MigException {
        journal.note(Journal.Kind.COMMITTED, "");
        List<String> notes = settled(now);
        try {
            operation.layout().save(now, operation.ownership());
        } catch (MigException e) {
            notes.add(String.valueOf(e.getMessage()));
        }
        return new ApplyResult.Done(now, runner.retries(), notes);
    }

    /** Writes down what is known elsewhere, too; that this fails does not undo the change. */
    private List<String> settled(MigFacts now) {
        List<String> notes = new ArrayList<>();
        try {
            ChangeRecord change = journal.last().orElseThrow();
            Set<Piece> foreign = new HashSet<>();
            for (GpuInstance instance : now.gpu().instances()) {
                Piece piece = Piece.of(instance);
                boolean wasThere = change.before().instances().stream()
                        .anyMatch(each -> each.piece().equals(piece));
                if (!wasThere && !change.made().contains(piece)) {
                    foreign.add(piece);
                }
            }
            operation.ownership().retain(Piece.all(now.gpu()), foreign);
            operation.history().add(change);
        } catch (MigException e) {
            notes.add(String.valueOf(e.getMessage()));
        }
        return notes;
    }

    private ApplyResult failed(MigException e) {
        String why = String.valueOf(e.getMessage());
        return isOutOfHand(e) ? new ApplyResult.LeftAsItIs(why) : undo(why);
    }

    /** Where a call is under way, or the journal cannot be written, nothing more is done. */
    private static boolean isOutOfHand(MigException e) {
        return e.reason() == MigException.Cause.OVERDUE || e.reason() == MigException.Cause.STORAGE;
    }

    private ApplyResult undo(String why) {
        progress.on(new Progress.Event(Progress.Kind.UNDOING, 0, 0, why));
        try {
            if (!journal.last().orElseThrow().isUndoing()) {
                journal.note(Journal.Kind.UNDOES, "");
            }
            MigFacts now = walk(true);
            journal.note(Journal.Kind.ROLLED_BACK, "");
            return new ApplyResult.RolledBack(why, now, settled(now));
        } catch (MigException e) {
            return new ApplyResult.LeftAsItIs(why + "; the way back has failed, too: " + e.getMessage());
        }
    }

    /** Goes to one of the two layouts of the open change from wherever the GPU is. */
    private MigFacts walk(boolean back) throws MigException {
        for (int round = 1; ; round++) {
            try {
                MigFacts facts = runner.read();
                List<Step> steps = route(facts, back).steps();
                int number = 0;
                for (Step step : steps) {
                    facts = runner.run(step, ++number, steps.size(), facts);
                }
                return facts;
            } catch (MigException e) {
                if (e.reason() != MigException.Cause.CHANGED || round == ROUNDS) {
                    throw e;
                }
            }
        }
    }

    private Route route(MigFacts facts, boolean back) {
        return new Route(facts.gpu(), journal.last().orElseThrow(), back);
    }

    /**
     * Brings a change to its end that was cut off. Where it had begun to make instances, all that was to go is gone, and
     * it is finished; otherwise what is gone is made again.
     *
     * @return what came of it; empty where none was open
     */
    Optional<ApplyResult> recover() throws MigException {
        Optional<ChangeRecord> last = journal.last();
        if (last.isEmpty() || !last.get().isOpen()) {
            if (last.isPresent()) {
                operation.history().add(last.get());
            }
            return Optional.empty();
        }
        MigFacts facts = runner.read();
        if (!facts.enabled()) {
            journal.note(Journal.Kind.ROLLED_BACK, "");
            String off = "MIG mode is off on GPU " + operation.gpu().index()
                    + ", so nothing is left of the change that was cut off";
            return Optional.of(new ApplyResult.RolledBack(off, facts, settled(facts)));
        }
        String cutOff = "the change was cut off";
        if (last.get().isUndoing()
                || !(isReached(facts, last.get()) || !last.get().made().isEmpty())) {
            return Optional.of(undo(cutOff));
        }
        try {
            return Optional.of(committed(walk(false)));
        } catch (MigException e) {
            return Optional.of(failed(
                    new MigException(e.reason(), e.code(), cutOff + " and could not be finished: " + e.getMessage())));
        }
    }

    /** Lets a change be that can be brought to neither end: what there is stays. */
    MigFacts abandon() throws MigException {
        MigFacts facts = runner.read();
        if (journal.last().filter(ChangeRecord::isOpen).isPresent()) {
            journal.note(Journal.Kind.ROLLED_BACK, "");
            settled(facts);
        }
        return facts;
    }

    private boolean isReached(MigFacts facts, ChangeRecord change) throws MigException {
        Set<Piece> live = Piece.all(facts.gpu());
        return route(facts, false).steps().isEmpty()
                && change.before().instances().stream()
                        .filter(instance -> !change.after().has(instance.piece()))
                        .noneMatch(instance -> live.contains(instance.piece()))
                && !hasLeftovers(facts, change);
    }

    /** Compute instances that are to go and are there; the change of one GPU instance may be only that. */
    private static boolean hasLeftovers(MigFacts facts, ChangeRecord change) {
        for (GpuInstance instance : facts.gpu().instances()) {
            Optional<SavedLayout.SavedInstance> to = change.after().at(Piece.of(instance));
            if (to.isPresent()
                    && instance.computes().size() > to.get().computes().size()) {
                return true;
            }
        }
        return false;
    }
}
