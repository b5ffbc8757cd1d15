// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * Something that the driver tells those who have asked to be told.
 *
 * @param gpu on which GPU
 * @param type one bit of nvmlEventType*
 * @param data the Xid, for that type; else 0
 * @param gpuInstance where it can be attributed, else all ones
 * @param computeInstance likewise
 */
record Event(SimulatedGpu gpu, long type, long data, int gpuInstance, int computeInstance) {
    static final long SINGLE_BIT_ECC_ERROR = 0x1;
    static final long DOUBLE_BIT_ECC_ERROR = 0x2;
    static final long XID = 0x8;
    static final long MIG_CONFIG_CHANGE = 0x100;
    static final long GPU_UNAVAILABLE = 0x4000;
    static final long RECOVERY_ACTION = 0x8000;

    /** Stands for the whole GPU. */
    static final int NO_INSTANCE = -1;
}
