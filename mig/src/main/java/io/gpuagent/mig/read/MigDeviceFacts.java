// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.read;

/**
 * A MIG device, which is a compute instance to CUDA.
 *
 * @param gpuInstance the id of its GPU instance
 * @param computeInstance the id of its compute instance
 * @param uuid {@code MIG-} and a UUID; an instance made later at the same place may have the same one
 */
public record MigDeviceFacts(int gpuInstance, int computeInstance, String uuid) {}
