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
public record GpuProcess(int pid, OptionalLong usedMemoryBytes, OptionalInt gpuInstance, OptionalInt computeInstance) {}
