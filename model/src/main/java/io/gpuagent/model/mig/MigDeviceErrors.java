// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

import io.gpuagent.model.Reading;

/**
 * Memory errors of a MIG device. NVML counts only uncorrected ones in SRAM for one; all others are those of the GPU.
 *
 * @param gpuInstance the id of its GPU instance
 * @param computeInstance the id of its compute instance
 * @param uncorrectedSram since the driver was loaded; nvmlDeviceGetMemoryErrorCounter of the device
 */
public record MigDeviceErrors(int gpuInstance, int computeInstance, Reading<Long> uncorrectedSram) {}
