// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * The figures of a card that its moving readings stay within.
 *
 * @param pciDomain where the first GPU sits
 * @param pciBus its bus
 * @param pciDevice its device
 * @param memoryTotal bytes
 * @param memoryReserved bytes that the driver keeps
 * @param powerLimit milliwatts
 * @param temperatureMax degrees Celsius at which the T.Limit margin is 0
 */
record Hardware(
        int pciDomain,
        int pciBus,
        int pciDevice,
        long memoryTotal,
        long memoryReserved,
        int powerLimit,
        int temperatureMax) {
    /** Of a replayed GPU, whose figures are all in its answers: whatever a scenario sets is within it, and not seen. */
    static final Hardware UNKNOWN = new Hardware(0, 0, 0, Long.MAX_VALUE, 0, 0, 0);

    static Hardware parse(JsonTree tree) {
        return new Hardware(
                tree.smallInteger("pci-domain"),
                tree.smallInteger("pci-bus"),
                tree.smallInteger("pci-device"),
                tree.integer("memory-total"),
                tree.integer("memory-reserved"),
                tree.smallInteger("power-limit-mw"),
                tree.smallInteger("temperature-max"));
    }

    long memoryUsable() {
        return memoryTotal - memoryReserved;
    }
}
