// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.NvmlReturn;
import java.util.List;
import java.util.Optional;

/**
 * Turns the MIG mode on or off: one attempt, and no reset. NVML answers twice, whether it took the request and what became
 * of the activation, and the mode that is read back counts more than both. A mode that is only pending would come with
 * some later reset, when nobody thinks of it; so the former one is written back unless it may stay.
 */
final class MigModeChange {
    private final Operation operation;
    private final Operation.Tools tools;

    MigModeChange(Operation operation, Operation.Tools tools) {
        this.operation = operation;
        this.tools = tools;
    }

    MigModeResult set(boolean enabled, boolean leavePending) throws MigException {
        int gpu = operation.gpu().index();
        MigFacts before = operation.driver().read(operation.ownership());
        if (before.enabled() == enabled && before.pending() == enabled) {
            operation.mode().end(enabled);
            return new MigModeResult.Unchanged();
        }
        String words = "MIG mode of GPU " + gpu + (enabled ? " on" : " off");
        if (!enabled && !before.gpu().instances().isEmpty()) {
            return new MigModeResult.Failed(
                    "turning the " + words + " needs it to be empty, and it has "
                            + before.gpu().instances().size() + " GPU instance"
                            + (before.gpu().instances().size() == 1 ? "" : "s") + "; destroy them first",
                    !before.pending());
        }
        operation.mode().begin(new ModeRecord.Open(enabled, before.pending(), leavePending));
        try {
            return asked(enabled, leavePending, before, words);
        } catch (MigException e) {
            return new MigModeResult.Unknown("turning the " + words + " was begun, and what became of it is not known: "
                    + e.getMessage() + "; a recovery, with which every change begins, brings it to an end");
        }
    }

    private MigModeResult asked(boolean enabled, boolean leavePending, MigFacts before, String words)
            throws MigException {
        Answer<NvmlReturn> answer = operation.driver().setMode(enabled);
        // The driver may have reset the GPU: handles from before are dead.
        operation.driver().reopen();
        MigFacts after = operation.driver().read(operation.ownership());
        if (answer instanceof Answer.Refused<NvmlReturn> refused) {
            operation.mode().end();
            return new MigModeResult.Failed(
                    "turning the " + words + " was refused: NVML returned " + refused.code() + advice(refused.code()),
                    after.pending() != before.pending());
        }
        if (after.enabled() == enabled) {
            operation.mode().end(enabled);
            return new MigModeResult.Changed();
        }
        String todo = "the driver took the request to turn the " + words + " and left it pending (" + answer.orThrow()
                + ")" + advice(answer.orThrow());
        if (leavePending && after.pending() == enabled) {
            operation.mode().end(enabled);
            return new MigModeResult.Pending(todo);
        }
        return writtenBack(before.pending(), todo);
    }

    private MigModeResult writtenBack(boolean pending, String todo) throws MigException {
        MigFacts now = writeBack(pending);
        return now.pending() == pending
                ? new MigModeResult.Failed(todo + "; the mode was set back to what it was", false)
                : new MigModeResult.Failed(
                        todo + "; it could not be taken back, so the next reset or reboot brings it", true);
    }

    private MigFacts writeBack(boolean pending) throws MigException {
        operation.driver().setMode(pending);
        operation.driver().reopen();
        MigFacts now = operation.driver().read(operation.ownership());
        // Where it could not be written back, a second attempt would be no better: it is told instead.
        operation.mode().end();
        return now;
    }

    /**
     * Brings a change to its end that was cut off: what has come is left, what is only pending is taken back unless it
     * may stay.
     *
     * @return what came of it; empty where there was none
     */
    Optional<ApplyResult> recover() throws MigException {
        Optional<ModeRecord.Open> open = operation.mode().open();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        ModeRecord.Open change = open.get();
        String words = "the change of the MIG mode of GPU " + operation.gpu().index() + " was cut off";
        MigFacts now = operation.driver().read(operation.ownership());
        if (now.enabled() == change.enabled() || (change.leavePending() && now.pending() == change.enabled())) {
            operation.mode().end(change.enabled());
            return Optional.of(new ApplyResult.Done(now, 0, List.of(words + " behind its last step")));
        }
        if (now.pending() == change.formerPending()) {
            operation.mode().end();
            return Optional.of(new ApplyResult.RolledBack(words, now, List.of()));
        }
        now = writeBack(change.formerPending());
        return Optional.of(
                now.pending() == change.formerPending()
                        ? new ApplyResult.RolledBack(words + "; the mode was set back to what it was", now, List.of())
                        : new ApplyResult.LeftAsItIs(
                                words + "; it could not be taken back, so the next reset or reboot brings it"));
    }

    private String advice(NvmlReturn code) {
        if (code.equals(NvmlReturn.IN_USE)) {
            return ": the GPU must be idle, and "
                    + Holders.words(tools.ports().holders().of(operation.gpu()))
                    + "; stop it, then try again";
        }
        if (code.equals(NvmlReturn.RESET_REQUIRED)) {
            return ": it becomes active when the GPU is reset, or in a virtual machine when that is rebooted";
        }
        if (code.equals(NvmlReturn.NO_PERMISSION)) {
            return ": only root may";
        }
        return code.equals(NvmlReturn.NOT_SUPPORTED) ? ": this GPU or this driver cannot do MIG" : "";
    }
}
