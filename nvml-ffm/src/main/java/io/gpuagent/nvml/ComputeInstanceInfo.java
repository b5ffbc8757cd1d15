// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * What and where a compute instance is ({@code nvmlComputeInstanceInfo_t}).
 *
 * @param id its id, unique in the GPU instance
 * @param profileId its {@link ComputeInstanceProfile#id()}
 * @param placement where it lies, in compute slices of the GPU instance
 */
public record ComputeInstanceInfo(int id, int profileId, Placement placement) {}
