// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process that uses a GPU.
 *
 * @param pid its id, in the pid namespace of the process that asked the driver
 * @param usedMemoryBytes device memory it holds; empty where the driver does not tell
 * @param gpuInstance the GPU instance it runs on; empty when MIG is off
 * @param computeInstance the compute instance it runs on; empty when MIG is off
 */
public record GpuProcess(int pid, OptionalLong usedMemoryBytes, OptionalInt gpuInstance, OptionalInt computeInstance) {
    /**
     * Whether it runs on a compute instance.
     *
     * @param gpuInstanceId the id of the GPU instance
     * @param computeInstanceId the id of the compute instance
     * @return whether the driver says so
     */
    public boolean isOn(int gpuInstanceId, int computeInstanceId) {
        return gpuInstance.equals(OptionalInt.of(gpuInstanceId))
                && computeInstance.equals(OptionalInt.of(computeInstanceId));
    }
}
