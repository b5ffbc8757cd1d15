// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.Reading;

/**
 * What a MIG device uses.
 *
 * @param gpuInstance the id of its GPU instance
 * @param computeInstance the id of its compute instance
 * @param memory that of the GPU instance, which its compute instances share; nvmlDeviceGetMemoryInfo_v2 of the device
 */
public record MigDeviceUse(int gpuInstance, int computeInstance, Reading<MemoryUse> memory) {}
