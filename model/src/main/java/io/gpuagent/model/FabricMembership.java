// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * How a GPU stands in an NVSwitch fabric ({@code nvmlGpuFabricInfoV_t}).
 *
 * @param state {@code NVML_GPU_FABRIC_STATE_*}: 0 not supported, 1 not started, 2 in progress, 3 completed
 * @param healthMask {@code NVML_GPU_FABRIC_HEALTH_MASK_*}: two bits each, 0 not supported, 1 true, 2 false, and from bit 8
 *     on the code of what is wrong with the configuration; 0 where the driver is too old to tell
 */
public record FabricMembership(int state, long healthMask) {}
