// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

/**
 * What names a GPU. The UUID is the key; the index may change between driver loads.
 *
 * @param index NVML's index: GPUs in the order of their PCI bus ids
 * @param uuid the UUID as {@code nvidia-smi} prints it, {@code GPU-…}
 */
public record GpuIdentity(int index, String uuid) {}
