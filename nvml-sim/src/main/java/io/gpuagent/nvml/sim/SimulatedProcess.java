// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.LinkedHashMap;
import java.util.Map;

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

    /** Whether NVML lists it among the compute processes; among its MPS clients are those of {@link Kind#MPS}. */
    boolean isListedAsCompute() {
        return kind != Kind.GRAPHICS;
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("pid", pid);
        members.put("kind", kind.name());
        members.put("memory", memory);
        members.put("gpu-instance", gpuInstance);
        members.put("compute-instance", computeInstance);
        return members;
    }

    static SimulatedProcess restored(JsonTree saved) {
        return new SimulatedProcess(
                saved.smallInteger("pid"),
                Kind.valueOf(saved.text("kind")),
                saved.integer("memory"),
                saved.smallInteger("gpu-instance"),
                saved.smallInteger("compute-instance"));
    }

    /** What a process is to NVML. */
    public enum Kind {
        /** Has a CUDA context of its own. */
        COMPUTE,
        /** Has a graphics context. */
        GRAPHICS,
        /** Is a client of an MPS server: in the list of those and in that of compute processes, as on an H200. */
        MPS,
        /** Is an MPS server: in the list of compute processes alone, as on an H200. */
        MPS_SERVER
    }
}
