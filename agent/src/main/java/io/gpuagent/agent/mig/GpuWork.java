// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.model.GpuIdentity;
import java.util.Optional;

/** What an operation does to one GPU. Called on the operation's own thread; blocks. */
interface GpuWork {
    /** The GPU. */
    GpuIdentity gpu();

    /** Looks whether all is as it was when the work was agreed to; nothing is touched by that. */
    default void check() throws MigRefusedException {
        // Most work carries its own conditions.
    }

    /** Does it. */
    End carryOut(MigCaller caller);

    /**
     * How it ended.
     *
     * @param state an end
     * @param sentence what came of it
     */
    record End(OperationState state, String sentence) {
        static End of(MigRefusedException e) {
            return new End(OperationState.of(e.code()), e.sentence());
        }

        Optional<End> unlessDone() {
            return state == OperationState.DONE ? Optional.empty() : Optional.of(this);
        }
    }
}
