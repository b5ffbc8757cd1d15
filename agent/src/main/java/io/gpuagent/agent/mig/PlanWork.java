// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.control.Answer;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.mig.MigRequestException;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.GpuIdentity;
import java.util.List;
import java.util.Optional;

/**
 * Carries the plan of one GPU out: turns MIG mode on where that is wanted, makes the layout, turns the mode off. The one
 * behind the port plans anew and refuses where that gives other steps, so that nothing is done that was not shown.
 */
final class PlanWork implements GpuWork {
    private static final String AGAIN = "; nothing was touched; plan again";

    private final MigPlan whole;
    private final GpuPlan plan;
    private final ControlPort port;
    private final MigCards cards;

    PlanWork(MigPlan whole, GpuPlan plan, ControlPort port, MigCards cards) {
        this.whole = whole;
        this.plan = plan;
        this.port = port;
        this.cards = cards;
    }

    @Override
    public GpuIdentity gpu() {
        return plan.gpu();
    }

    @Override
    public void check() throws MigRefusedException {
        MigState state = cards.read(gpu().uuid());
        MigFacts now = state.facts();
        Optional<Boolean> former = plan.mode().map(on -> !on);
        boolean isOn = former.orElse(true);
        if (plan.mode().isPresent() && now.enabled() != isOn) {
            throw stale("MIG mode of GPU " + gpu().index() + " is " + (now.enabled() ? "on" : "off")
                    + " already, unlike when the plan was made");
        }
        Optional<Plan> agreed = plan.steps();
        if (agreed.isPresent()) {
            if (plan.mode().isEmpty() && !now.enabled()) {
                throw stale("MIG mode of GPU " + gpu().index() + " has been turned off since the plan was made");
            }
            PlanOutcome anew = outcome(state);
            boolean isSame = anew instanceof Plan same && PlanId.of(same).equals(PlanId.of(agreed.get()));
            if (!isSame) {
                throw stale(new StateChange(agreed.get(), now.gpu(), whole.rules()).words());
            }
        }
    }

    private PlanOutcome outcome(MigState state) throws MigRefusedException {
        MigFacts facts = state.facts();
        Planner planner = new Planner(whole.rules());
        try {
            if (whole.kind() == MigPlan.Kind.ROLLBACK) {
                if (state.history().isEmpty()) {
                    throw stale("the history of GPU " + gpu().index() + " is gone since the plan was made");
                }
                return planner.plan(
                        facts.gpu(), state.history().getLast().before().wanted(facts.gpu()));
            }
            return planner.plan(facts.gpu(), Wanted.resolve(facts.gpu().card(), wanted()));
        } catch (MigRequestException e) {
            throw stale("GPU " + gpu().index() + " is another card than when the plan was made: " + e.getMessage());
        }
    }

    private List<InstanceRequest> wanted() {
        return plan.wanted().orElse(List.of());
    }

    private static MigRefusedException stale(String sentence) {
        return new MigRefusedException(RefusalCode.STALE, sentence + AGAIN);
    }

    @Override
    public End carryOut(MigCaller caller) {
        Optional<End> stopped = Optional.empty();
        if (plan.mode().filter(on -> on).isPresent()) {
            stopped = mode(caller, true).unlessDone();
        }
        if (stopped.isEmpty()
                && plan.steps().filter(steps -> !steps.isNoChange()).isPresent()) {
            stopped = layout(caller).unlessDone().map(this::besideTheMode);
        }
        if (stopped.isEmpty() && plan.mode().filter(on -> !on).isPresent()) {
            stopped = mode(caller, false).unlessDone();
        }
        return stopped.orElseGet(() -> new End(OperationState.DONE, "GPU " + gpu().index() + " is as wanted"));
    }

    private End besideTheMode(End end) {
        return plan.mode().isPresent()
                ? new End(
                        end.state() == OperationState.REFUSED ? OperationState.FAILED : end.state(),
                        end.sentence() + "; MIG mode was turned on and stays on")
                : end;
    }

    private End mode(MigCaller caller, boolean enabled) {
        caller.progress("turn MIG mode " + (enabled ? "on" : "off"));
        try (MigCaller deeper = caller.with(PollerRelease.Depth.DRIVER)) {
            return end(port.perform(new MigRequest.Mode(gpu().uuid(), enabled, false), deeper));
        }
    }

    private End layout(MigCaller caller) {
        try {
            // Turning the mode on is a change that was agreed to, and behind it the plan has another beginning.
            PlanId id = plan.mode().isEmpty() ? PlanId.of(plan.steps().orElseThrow()) : anew(cards.read(gpu().uuid()));
            Answer answer = port.perform(request(id), caller);
            if (answer instanceof Answer.Done(Outcome.Changed(var _, var _, var lines))) {
                lines.forEach(caller::progress);
            }
            return end(answer);
        } catch (MigRefusedException e) {
            return End.of(e);
        }
    }

    private PlanId anew(MigState state) throws MigRefusedException {
        if (outcome(state) instanceof Plan now) {
            return PlanId.of(now);
        }
        throw stale("the layout cannot be reached any more");
    }

    private Request request(PlanId id) {
        String uuid = gpu().uuid();
        return whole.kind() == MigPlan.Kind.ROLLBACK
                ? new MigRequest.Rollback(uuid, id, whole.rules(), cards.lastUses(uuid))
                : new MigRequest.Apply(uuid, id, wanted(), whole.rules(), cards.lastUses(uuid));
    }

    static End end(Answer answer) {
        return switch (answer) {
            case Answer.Done(Outcome.Changed(var _, var after, var lines)) ->
                new End(OperationState.DONE, lines.isEmpty() ? after : String.join("; ", lines));
            case Answer.Done(var other) -> throw new IllegalStateException("a change answered " + other);
            case Answer.Refused(var code, var sentence) -> new End(OperationState.of(code), sentence);
        };
    }
}
