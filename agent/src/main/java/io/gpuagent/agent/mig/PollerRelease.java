// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import java.util.List;
import java.util.Optional;

/** Makes the agent's own pollers let go of GPUs, which the driver takes for users like any other. */
@FunctionalInterface
public interface PollerRelease {
    /** How far to let go. */
    enum Depth {
        /** Of calls alone, for a reading. */
        CALLS,
        /** Of instances: other GPUs are polled on. */
        INSTANCES,
        /** Of the driver, for a change of the MIG mode, which may reset the GPU. */
        DRIVER
    }

    /**
     * Lets go.
     *
     * @param gpus the UUIDs of the GPUs
     * @param depth how far
     * @return to take them up again; empty where a call has not come back in time
     */
    Optional<Released> release(List<String> gpus, Depth depth);

    /** GPUs that were let go of. */
    @FunctionalInterface
    interface Released extends AutoCloseable {
        @Override
        void close();
    }
}
