// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

/**
 * A device that a simulated daemon serves.
 *
 * @param uuid its UUID
 * @param name its name
 * @param pciId its PCI id in the spelling of {@code device_query}
 * @param multiprocessors how many it has
 * @param memoryBytes how much memory it has, in bytes
 */
public record SimulatedDevice(String uuid, String name, String pciId, int multiprocessors, long memoryBytes) {
    /** The card that the rules were captured on. */
    public static final SimulatedDevice H200 = new SimulatedDevice(
            "GPU-00000000-0000-0000-0000-000000000001", "NVIDIA H200", "0000:00.06.00", 132, 150_109_880_320L);
}
