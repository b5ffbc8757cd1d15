// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import io.gpuagent.model.GpuIdentity;

/**
 * Makes the agent's own threads let go of a GPU: a handle of a MIG device that they have open is enough for the driver to
 * refuse to destroy the instance, and an open GPU to refuse another mode.
 */
@FunctionalInterface
public interface Quiesce {
    /** For when nobody else of this agent uses NVML. */
    Quiesce NOBODY = gpu -> () -> {};

    /**
     * Lets go.
     *
     * @param gpu the GPU
     * @return to take it up again
     * @throws MigException when they do not let go in time
     */
    Released release(GpuIdentity gpu) throws MigException;

    /** A GPU that was let go of. */
    @FunctionalInterface
    interface Released {
        /** Takes it up again; handles from before are dead. */
        void giveBack();
    }
}
