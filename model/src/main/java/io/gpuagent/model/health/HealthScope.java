// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.health;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an incident is about.
 *
 * @param gpu the GPU's UUID, or its bus id where the UUID is not known; empty for the node
 * @param gpuInstance id of the MIG GPU instance; empty where the driver named none, which means the whole GPU
 * @param computeInstance id of the compute instance; empty where the driver named none, which means the whole instance
 */
public record HealthScope(Optional<String> gpu, OptionalInt gpuInstance, OptionalInt computeInstance) {
    /** What no GPU owns. */
    public static final HealthScope NODE = new HealthScope(Optional.empty(), OptionalInt.empty(), OptionalInt.empty());

    /**
     * A whole GPU.
     *
     * @param gpu its UUID or bus id
     * @return the scope
     */
    public static HealthScope gpu(String gpu) {
        return new HealthScope(Optional.of(gpu), OptionalInt.empty(), OptionalInt.empty());
    }

    /**
     * Whether a MIG instance is within this scope. What names no instance is about all of them.
     *
     * @param gi id of a GPU instance
     * @param ci id of a compute instance in it
     * @return true where it is
     */
    public boolean covers(int gi, int ci) {
        return (gpuInstance.isEmpty() || gpuInstance.getAsInt() == gi)
                && (computeInstance.isEmpty() || computeInstance.getAsInt() == ci);
    }
}
