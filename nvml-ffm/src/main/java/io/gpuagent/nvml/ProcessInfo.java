// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process on a GPU ({@code nvmlProcessInfo_t}).
 *
 * @param pid its id, in the caller's pid namespace
 * @param usedGpuMemory bytes of device memory; empty where the driver does not tell
 * @param gpuInstanceId the GPU instance; empty when MIG is off
 * @param computeInstanceId the compute instance; empty when MIG is off
 */
public record ProcessInfo(
        int pid, OptionalLong usedGpuMemory, OptionalInt gpuInstanceId, OptionalInt computeInstanceId) {}
