// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

/**
 * A process on a simulated GPU.
 *
 * @param pid its process id; ids from {@link #FIRST_PID} on cannot be those of real processes
 * @param kind which of NVML's lists shows it
 * @param memory bytes of GPU memory it holds
 */
public record SimulatedProcess(int pid, Kind kind, long memory) {
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
