// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

/**
 * A compute instance as CUDA sees it.
 *
 * @param uuid {@code MIG-} and a UUID, before driver 470 {@code MIG-GPU-<UUID>/<GPU instance>/<compute instance>}; an
 *     instance made later at the same place may have the same one
 * @param index NVML's index of it on its GPU; there are holes, and it changes with the instances
 */
public record MigDeviceView(String uuid, int index) {}
