// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

/**
 * A stretch of slices: memory slices of the GPU for a GPU instance, compute slices of the GPU instance for a compute
 * instance (nvml.h, nvmlGpuInstancePlacement_t).
 *
 * @param start its first slice, 0 or more
 * @param size how many slices, 1 or more
 */
public record MigPlace(int start, int size) {}
