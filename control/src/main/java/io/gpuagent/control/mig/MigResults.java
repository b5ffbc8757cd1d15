// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.control.ControlException;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.apply.ApplyResult;
import io.gpuagent.mig.apply.MigModeResult;
import io.gpuagent.mig.apply.RestoreResult;
import io.gpuagent.mig.plan.Impossible;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.PlanOutcome;
import io.gpuagent.mig.plan.Step;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.List;

/** What the executor says, as outcomes and refusals of the port. */
final class MigResults {
    private MigResults() {}

    /** The plan that is made now, if it is the one that was agreed to. */
    static Plan agreed(PlanOutcome now, PlanId agreed) throws ControlException {
        String layout = now.before().layout();
        if (!PlanId.layoutOf(now.before()).equals(agreed.layout())) {
            throw new ControlException(
                    RefusalCode.STALE,
                    "the layout of GPU " + now.before().identity().index()
                            + " has changed since the plan was made; it is " + shown(layout) + " now: plan anew");
        }
        return switch (now) {
            case Impossible impossible -> throw new ControlException(RefusalCode.IMPOSSIBLE, impossible.reason());
            case Plan plan -> {
                if (!PlanId.of(plan).equals(agreed)) {
                    List<String> steps = plan.steps().stream().map(Step::words).toList();
                    throw new ControlException(
                            RefusalCode.STALE,
                            "who uses GPU " + now.before().identity().index()
                                    + " has changed since the plan was made, and it would be another one now ("
                                    + (steps.isEmpty() ? "no step" : String.join(", ", steps)) + "): plan anew");
                }
                yield plan;
            }
        };
    }

    static ControlException refused(MigException e) {
        RefusalCode code = switch (e.reason()) {
            case REFUSED -> code(e.code());
            case OVERDUE -> RefusalCode.OUTCOME_UNKNOWN;
            case CHANGED -> RefusalCode.STALE;
            case UNVERIFIED -> RefusalCode.FAILED;
            case STORAGE -> RefusalCode.NOT_RECORDED;
            case HELD -> RefusalCode.IN_USE;
        };
        return new ControlException(code, String.valueOf(e.getMessage()), e);
    }

    private static RefusalCode code(int nvml) {
        if (nvml == NvmlReturn.NOT_SUPPORTED.code()) {
            return RefusalCode.NOT_SUPPORTED;
        }
        return nvml == NvmlReturn.NO_PERMISSION.code() ? RefusalCode.NOT_ALLOWED : RefusalCode.FAILED;
    }

    static Outcome of(String before, ApplyResult result, boolean isCancelled) throws ControlException {
        return switch (result) {
            case ApplyResult.Done done ->
                new Outcome.Changed(
                        shown(before), shown(done.now().gpu().layout()), lines(done.notes(), done.retries()));
            case ApplyResult.RolledBack back ->
                throw new ControlException(
                        isCancelled ? RefusalCode.CANCELLED : RefusalCode.FAILED,
                        joined(back.why() + "; all is as it was before", back.notes()));
            case ApplyResult.LeftAsItIs left ->
                throw new ControlException(
                        RefusalCode.HALF_DONE,
                        left.why()
                                + "; the journal keeps what is to be done, and the next change or a recovery goes on");
            case ApplyResult.Refused refused -> throw refused(new MigException(refused.reason(), refused.why()));
        };
    }

    /** To have brought a change back is what a recovery is for. */
    static Outcome ofRecovery(String before, ApplyResult result) throws ControlException {
        if (result instanceof ApplyResult.RolledBack back) {
            List<String> lines = new ArrayList<>(List.of(back.why() + ", and all is as it was before that change"));
            lines.addAll(back.notes());
            return new Outcome.Changed(shown(before), shown(back.now().gpu().layout()), lines);
        }
        return of(before, result, false);
    }

    static Outcome of(RestoreResult result) throws ControlException {
        return switch (result) {
            case RestoreResult.Restored(var applied) -> of("", applied, false);
            case RestoreResult.LeftAlone(var why) -> new Outcome.Changed("", "", List.of(why));
            case RestoreResult.Failed(var reason, var why) -> throw refused(new MigException(reason, why));
        };
    }

    static Outcome of(MigRequest.Mode request, MigModeResult result) throws ControlException {
        String was = word(!request.enabled());
        String is = word(request.enabled());
        return switch (result) {
            case MigModeResult.Unchanged _ -> new Outcome.Changed(is, is, List.of("it was so already"));
            case MigModeResult.Changed _ -> new Outcome.Changed(was, is, List.of());
            case MigModeResult.Pending pending ->
                new Outcome.Changed(was, was + ", " + is + " pending", List.of(pending.todo()));
            case MigModeResult.Unknown unknown ->
                throw new ControlException(RefusalCode.OUTCOME_UNKNOWN, unknown.why());
            case MigModeResult.Failed failed ->
                throw new ControlException(
                        failed.isStillPending() ? RefusalCode.HALF_DONE : RefusalCode.FAILED, failed.why());
        };
    }

    private static String word(boolean enabled) {
        return enabled ? "MIG on" : "MIG off";
    }

    static Outcome changed(MigFacts before, MigFacts after, List<String> lines) {
        return new Outcome.Changed(
                shown(before.gpu().layout()), shown(after.gpu().layout()), lines);
    }

    private static String shown(String layout) {
        return layout.isEmpty() ? "empty" : layout;
    }

    private static List<String> lines(List<String> notes, int retries) {
        List<String> lines = new ArrayList<>(notes);
        if (retries > 0) {
            lines.add("the driver said " + retries + (retries == 1 ? " time" : " times")
                    + " that something was in use, and then no more");
        }
        return lines;
    }

    private static String joined(String why, List<String> notes) {
        return notes.isEmpty() ? why : why + "; " + String.join("; ", notes);
    }
}
