// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * What and where a GPU instance is ({@code nvmlGpuInstanceInfo_t}).
 *
 * @param id its id, unique on the GPU and used again for the next instance at its place
 * @param profileId its {@link GpuInstanceProfile#id()}
 * @param placement where it lies, in memory slices; it does not follow from the id
 */
public record GpuInstanceInfo(int id, int profileId, Placement placement) {}
