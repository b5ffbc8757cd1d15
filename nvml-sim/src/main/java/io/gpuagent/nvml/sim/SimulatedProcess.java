// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * A process on a simulated GPU.
 *
 * @param pid its process id; ids from {@link #FIRST_PID} on cannot be those of real processes
 * @param kind which of NVML's lists shows it
 * @param memory bytes of GPU memory it holds
 * @param gpuInstance id of the MIG GPU instance it runs on; {@link #NO_INSTANCE} for none
 * @param computeInstance id of the compute instance in it, likewise
 */
public record SimulatedProcess(int pid, Kind kind, long memory, int gpuInstance, int computeInstance) {
    /** Where there is no MIG instance, its id is all ones. */
    public static final int NO_INSTANCE = -1;

    /**
     * A process on a whole GPU.
     *
     * @param pid its process id
     * @param kind which of NVML's lists shows it
     * @param memory bytes of GPU memory it holds
     */
    public SimulatedProcess(int pid, Kind kind, long memory) {
        this(pid, kind, memory, NO_INSTANCE, NO_INSTANCE);
    }

    /** Linux gives out ids below 4,194,304 (PID_MAX_LIMIT), so nothing real is ever mistaken for a simulated process. */
    public static final int FIRST_PID = 5_000_000;

    /** The lists of processes that NVML keeps. */
    public enum Kind {
        /** Has a CUDA context of its own. */
        COMPUTE,
        /** Has a graphics context. */
        GRAPHICS,
        /** Is a client of an MPS server. */
        MPS
    }
}
