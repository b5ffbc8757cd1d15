// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.LastUse;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.apply.ApplyResult;
import io.gpuagent.mig.apply.Limits;
import io.gpuagent.mig.apply.MigExecutor;
import io.gpuagent.mig.apply.MigPorts;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.apply.MpsTenants;
import io.gpuagent.mig.apply.Quiesce;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.MigFacts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The MIG layouts of this machine's GPUs. A plan that is carried out is made here, from what is read here; of a request
 * only the wish is taken. All methods block, for minutes at the worst. Whoever calls has made the agent's own threads let
 * go of the GPU.
 */
public final class MigLayouts {
    private final MigMachine machine;

    /**
     * The layouts of one machine.
     *
     * @param machine the machine
     */
    public MigLayouts(MigMachine machine) {
        this.machine = machine;
    }

    /**
     * Reads a layout.
     *
     * @param request which
     * @return what is known
     * @throws ControlException when it cannot be read
     */
    public Outcome read(MigRequest.Read request) throws ControlException {
        try {
            MigState state =
                    executor(request.gpu(), request.lastUses(), step -> {}).look();
            Optional<String> waiting = tenants(request.gpu(), step -> {}).waiting();
            return new Outcome.Mig(new MigState(
                    state.facts(), state.unfinished().or(() -> waiting), state.ownership(), state.history()));
        } catch (MigException e) {
            throw MigResults.refused(e);
        }
    }

    /**
     * Makes a change.
     *
     * @param request which
     * @param progress hears of each step
     * @param goesOn asked before each step; false brings everything back
     * @return what was changed
     * @throws ControlException when it was not, or not wholly, made
     */
    public Outcome change(MigRequest request, Consumer<String> progress, BooleanSupplier goesOn)
            throws ControlException {
        try {
            return switch (request) {
                case MigRequest.Apply apply -> apply(apply, progress, goesOn);
                case MigRequest.Rollback rollback -> rollback(rollback, progress, goesOn);
                case MigRequest.Repair repair -> {
                    MigExecutor executor = executor(repair.gpu(), List.of(), progress);
                    yield carryOut(executor, Repairs.plan(executor.read(), repair), progress, goesOn);
                }
                case MigRequest.Mode mode ->
                    MigResults.of(
                            mode,
                            executor(mode.gpu(), List.of(), progress).setMode(mode.enabled(), mode.leavePending()));
                case MigRequest.Adopt adopt -> adopt(adopt, progress);
                case MigRequest.Recover recover -> recover(recover, progress);
                case MigRequest.Restore restore -> restore(restore, progress);
                case MigRequest.Abandon abandon -> {
                    MigExecutor executor = executor(abandon.gpu(), List.of(), progress);
                    MigFacts before = executor.look().facts();
                    yield MigResults.changed(before, executor.abandon(), List.of());
                }
                case MigRequest.Read read -> throw new IllegalArgumentException(read.verb() + " is no change");
            };
        } catch (MigException e) {
            throw MigResults.refused(e);
        } catch (MigRequestException e) {
            throw new ControlException(RefusalCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        }
    }

    private MigExecutor executor(String uuid, List<LastUse> lastUses, Consumer<String> progress)
            throws ControlException {
        return executor(uuid, lastUses, tenants(uuid, progress));
    }

    private MigExecutor executor(String uuid, List<LastUse> lastUses, MpsTenants tenants) throws ControlException {
        return new MigExecutor(
                machine.gpu(uuid),
                machine.folder().resolve(uuid),
                machine.nvml(),
                new RecentUse(machine.claims(), lastUses),
                new MigPorts(Quiesce.NOBODY, tenants, machine.holders()),
                machine.clock(),
                Limits.STANDARD,
                machine.disk());
    }

    private MpsOnInstances tenants(String uuid, Consumer<String> progress) {
        Path file = machine.folder().resolve(uuid).resolve("stopped-daemons");
        return new MpsOnInstances(new StoppedDaemons(file, machine.disk()), machine.daemons(), progress);
    }

    /** MPS daemons are the agent's business: it starts later, and finds the instances. */
    private Outcome restore(MigRequest.Restore request, Consumer<String> progress) throws ControlException {
        String load = machine.loads()
                .current()
                .orElseThrow(() -> new ControlException(
                        RefusalCode.NOT_SUPPORTED, "no NVIDIA driver is loaded, so no layout is made again"));
        MigExecutor executor = executor(request.gpu(), List.of(), MpsTenants.NONE);
        return MigResults.of(executor.restore(load, new StepWords(progress)));
    }

    private Outcome apply(MigRequest.Apply request, Consumer<String> progress, BooleanSupplier goesOn)
            throws ControlException, MigException, MigRequestException {
        MigExecutor executor = executor(request.gpu(), request.lastUses(), progress);
        MigFacts facts = executor.read();
        request.rules().check(facts.gpu());
        Wanted wanted = Wanted.resolve(facts.gpu().card(), request.wanted());
        PlanOutcome outcome = new Planner(request.rules()).plan(facts.gpu(), wanted);
        return carryOut(executor, MigResults.agreed(outcome, request.plan()), progress, goesOn);
    }

    private Outcome rollback(MigRequest.Rollback request, Consumer<String> progress, BooleanSupplier goesOn)
            throws ControlException, MigException, MigRequestException {
        MigExecutor executor = executor(request.gpu(), request.lastUses(), progress);
        request.rules().check(executor.read().gpu());
        PlanOutcome outcome = executor.planRollback(new Planner(request.rules()))
                .orElseThrow(() -> new ControlException(
                        RefusalCode.NOT_FOUND,
                        "no change of the layout of GPU " + request.gpu() + " is known that could be taken back"));
        return carryOut(executor, MigResults.agreed(outcome, request.plan()), progress, goesOn);
    }

    private static Outcome carryOut(MigExecutor executor, Plan plan, Consumer<String> progress, BooleanSupplier goesOn)
            throws ControlException {
        boolean[] isCancelled = new boolean[1];
        ApplyResult result = executor.apply(plan, new StepWords(progress), () -> {
            isCancelled[0] |= !goesOn.getAsBoolean();
            return isCancelled[0];
        });
        return MigResults.of(plan.before().layout(), result, isCancelled[0]);
    }

    private Outcome adopt(MigRequest.Adopt request, Consumer<String> progress) throws ControlException, MigException {
        MigExecutor executor = executor(request.gpu(), List.of(), progress);
        MigFacts before = executor.read();
        String label = before.gpu().instances().stream()
                .filter(instance -> instance.id() == request.gpuInstance())
                .findFirst()
                .orElseThrow(() -> new ControlException(
                        RefusalCode.NOT_FOUND,
                        "there is no GPU instance " + request.gpuInstance() + " on GPU "
                                + before.gpu().identity().index() + " to adopt"))
                .label();
        return MigResults.changed(
                before, executor.adopt(request.gpuInstance()), List.of(label + " is gpu-agent's from now on"));
    }

    private Outcome recover(MigRequest.Recover request, Consumer<String> progress)
            throws ControlException, MigException {
        MigExecutor executor = executor(request.gpu(), List.of(), progress);
        MigFacts before = executor.look().facts();
        Optional<ApplyResult> result = executor.recover(new StepWords(progress));
        if (result.isPresent()) {
            return MigResults.ofRecovery(before.gpu().layout(), result.get());
        }
        MpsOnInstances tenants = tenants(request.gpu(), progress);
        Optional<String> waiting = tenants.waiting();
        tenants.start(before.gpu().identity(), before);
        return MigResults.changed(
                before, before, List.of(waiting.isEmpty() ? "nothing was left open" : "daemons were started again"));
    }
}
