// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

/**
 * A GPU that the driver was told to leave alone ({@code nvmlExcludedDeviceInfo_t}).
 *
 * @param pci where it sits
 * @param uuid its UUID
 */
public record ExcludedGpu(Identity.PciInfo pci, String uuid) {}
