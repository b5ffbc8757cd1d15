// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlAccountingStats_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The driver's record of processes, those that have ended too. It is off unless an operator turned it on, and forgotten
 * when the driver is unloaded; enabling MIG turns it off.
 */
public final class Accounting {
    private final Handle device;

    Accounting(Handle device) {
        this.device = device;
    }

    /**
     * Whether the driver keeps the record (nvmlDeviceGetAccountingMode).
     *
     * @return true where it does
     */
    public Answer<Boolean> isEnabled() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetAccountingMode);
    }

    /**
     * How many processes the record holds before the oldest is overwritten (nvmlDeviceGetAccountingBufferSize).
     *
     * @return the count
     */
    public Answer<Long> capacity() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetAccountingBufferSize);
    }

    /**
     * Processes on record, running or ended (nvmlDeviceGetAccountingPids).
     *
     * @return their ids; none, or NOT_SUPPORTED, where the record is off
     */
    public Answer<List<Integer>> pids() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetAccountingPids;
        return CountedArray.of(function, JAVA_INT.byteSize())
                .read(
                        (count, array) -> device.calls().call(function, device, count, array),
                        pid -> pid.get(JAVA_INT, 0));
    }

    /**
     * What is on record of a process (nvmlDeviceGetAccountingStats); of the last one where several had the id.
     *
     * @param pid its id
     * @return its figures; NOT_FOUND where it is not on record; that, or NOT_SUPPORTED, where the record is off
     */
    public Answer<Stats> stats(int pid) {
        return Structs.plain(device, NvmlFunction.nvmlDeviceGetAccountingStats, pid, nvmlAccountingStats_t, Stats::of);
    }

    /**
     * A process over its life.
     *
     * @param gpuUtilization percent of time in which a kernel ran; empty where the driver does not tell
     * @param memoryUtilization percent of time in which memory was read or written; empty where the driver does not tell
     * @param maxMemory most bytes of device memory it ever had; empty where the driver does not tell
     * @param activeMillis milliseconds in which it had a context; empty while it runs
     * @param start when it began, microseconds since the epoch
     * @param isRunning false once it has ended
     */
    public record Stats(
            OptionalInt gpuUtilization,
            OptionalInt memoryUtilization,
            OptionalLong maxMemory,
            OptionalLong activeMillis,
            long start,
            boolean isRunning) {
        static Stats of(Struct stats) {
            boolean isRunning = stats.flag("isRunning");
            return new Stats(
                    stats.optional32("gpuUtilization"),
                    stats.optional32("memoryUtilization"),
                    stats.optional64("maxMemoryUsage"),
                    isRunning ? OptionalLong.empty() : OptionalLong.of(stats.u64("time")),
                    stats.u64("startTime"),
                    isRunning);
        }
    }
}
