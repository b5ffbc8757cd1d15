// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.nvml.Answer;
import io.gpuagent.nvml.NvmlReturn;

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
        Answer<NvmlReturn> answer = operation.driver().setMode(enabled);
        // The driver may have reset the GPU: handles from before are dead.
        operation.driver().reopen();
        MigFacts after = operation.driver().read(operation.ownership());
        if (answer instanceof Answer.Refused<NvmlReturn> refused) {
            return new MigModeResult.Failed(
                    "turning the " + words + " was refused: NVML returned " + refused.code() + advice(refused.code()),
                    after.pending() != before.pending());
        }
        if (after.enabled() == enabled) {
            return new MigModeResult.Changed();
        }
        String todo = "the driver took the request to turn the " + words + " and left it pending (" + answer.orThrow()
                + ")" + advice(answer.orThrow());
        return leavePending && after.pending() == enabled ? new MigModeResult.Pending(todo) : writtenBack(before, todo);
    }

    private MigModeResult writtenBack(MigFacts before, String todo) throws MigException {
        operation.driver().setMode(before.pending());
        operation.driver().reopen();
        MigFacts now = operation.driver().read(operation.ownership());
        return now.pending() == before.pending()
                ? new MigModeResult.Failed(todo + "; the mode was set back to what it was", false)
                : new MigModeResult.Failed(
                        todo + "; it could not be taken back, so the next reset or reboot brings it", true);
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
