// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.read.MigFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes the layout again that a boot or a reload of the driver has taken: GPU instances and compute instances survive
 * neither on any card, and MIG mode does not on Hopper and later (NVIDIA MIG user guide). Only an empty GPU without
 * processes is touched, only once for each load, and the mode only where it was on by our will.
 */
final class Restore {
    private final Operation operation;
    private final Operation.Tools tools;
    private final Progress progress;

    Restore(Operation operation, Operation.Tools tools, Progress progress) {
        this.operation = operation;
        this.tools = tools;
        this.progress = progress;
    }

    RestoreResult run(String load) throws MigException {
        int index = operation.gpu().index();
        LayoutRecord record = operation.layout();
        if (record.isOf(load)) {
            return new RestoreResult.LeftAlone("GPU " + index + " was looked at already since the driver was loaded");
        }
        SavedLayout saved = record.layout();
        MigModeChange mode = new MigModeChange(operation, tools);
        mode.recover();
        MigFacts facts = operation.driver().read(operation.ownership());
        Optional<String> against = against(facts, saved);
        if (against.isPresent()) {
            record.lookedAt(load);
            return new RestoreResult.LeftAlone(against.get());
        }
        if (!facts.enabled()) {
            MigModeResult turned = mode.set(true, false);
            if (!(turned instanceof MigModeResult.Changed)) {
                return new RestoreResult.Failed(MigException.Cause.REFUSED, why(turned));
            }
            facts = operation.driver().read(operation.ownership());
        }
        return made(facts, saved, load);
    }

    private Optional<String> against(MigFacts facts, SavedLayout saved) throws MigException {
        int index = operation.gpu().index();
        int instances = facts.gpu().instances().size();
        if (instances > 0) {
            return Optional.of("GPU " + index + " has " + instances + (instances == 1 ? " instance" : " instances")
                    + " already, so it is left as it is");
        }
        boolean isOn = operation.mode().isOurs();
        if (saved.instances().isEmpty() && (!isOn || facts.enabled())) {
            return Optional.of("GPU " + index + " has nothing of gpu-agent's to be made again");
        }
        if (!facts.enabled() && !isOn) {
            return Optional.of("MIG mode is off on GPU " + index + ", and gpu-agent did not turn it on before");
        }
        int processes = operation.driver().processes();
        return processes == 0
                ? Optional.empty()
                : Optional.of(processes + (processes == 1 ? " process runs" : " processes run") + " on GPU " + index
                        + ", so it is left as it is");
    }

    private static String why(MigModeResult result) {
        return switch (result) {
            case MigModeResult.Failed failed -> failed.why();
            case MigModeResult.Unknown unknown -> unknown.why();
            case MigModeResult.Pending pending -> pending.todo();
            case MigModeResult.Changed _, MigModeResult.Unchanged _ -> "MIG mode is on and off at once";
        };
    }

    private RestoreResult made(MigFacts facts, SavedLayout saved, String load) throws MigException {
        if (operation.journal().last().filter(ChangeRecord::isOpen).isPresent()) {
            // What that change had made and destroyed is gone; the layout from before it is what is made again.
            operation.journal().note(Journal.Kind.ROLLED_BACK, "");
        }
        return switch (new Planner(PinRules.STANDARD).plan(facts.gpu(), saved.wanted(facts.gpu()))) {
            case Impossible impossible -> new RestoreResult.Failed(MigException.Cause.REFUSED, impossible.reason());
            case Plan plan -> carriedOut(plan, saved, load);
        };
    }

    private RestoreResult carriedOut(Plan plan, SavedLayout saved, String load) throws MigException {
        ApplyResult result = new Change(operation, tools, progress).apply(plan, () -> false);
        return switch (result) {
            case ApplyResult.Done done -> {
                operation.layout().lookedAt(load);
                List<String> notes = new ArrayList<>(done.notes());
                LayoutRecord.unknownTo(plan.before(), saved).ifPresent(notes::add);
                yield new RestoreResult.Restored(new ApplyResult.Done(done.now(), done.retries(), notes));
            }
            case ApplyResult.RolledBack back ->
                new RestoreResult.Failed(MigException.Cause.REFUSED, back.why() + "; the GPU is empty again");
            case ApplyResult.LeftAsItIs left -> new RestoreResult.Failed(MigException.Cause.OVERDUE, left.why());
            case ApplyResult.Refused refused -> new RestoreResult.Failed(refused.reason(), refused.why());
        };
    }
}
