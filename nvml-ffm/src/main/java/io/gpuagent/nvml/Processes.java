// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessDetailList_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessDetail_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessUtilizationSample_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlProcessesUtilizationInfo_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Who runs on a GPU. */
public final class Processes {
    private static final int INITIAL_CAPACITY = 32;
    /** Processes come and go between two calls: how often a list may outgrow its buffer before we give up. */
    private static final int ATTEMPTS = 5;
    /** Two megabytes of records; more than any kernel runs on one GPU. */
    private static final int LARGEST_CAPACITY = 65_536;

    private final Handle device;
    private int capacity = INITIAL_CAPACITY;

    Processes(Handle device) {
        this.device = device;
    }

    /**
     * Processes with a compute context (nvmlDeviceGetComputeRunningProcesses, _v3 to v1).
     *
     * @return the processes, empty when there is none
     */
    public Answer<List<ProcessInfo>> compute() {
        return newest(
                NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v3,
                NvmlFunction.nvmlDeviceGetComputeRunningProcesses_v2,
                NvmlFunction.nvmlDeviceGetComputeRunningProcesses);
    }

    /**
     * Processes with a graphics context (nvmlDeviceGetGraphicsRunningProcesses, _v3 to v1).
     *
     * @return the processes, empty when there is none
     */
    public Answer<List<ProcessInfo>> graphics() {
        return newest(
                NvmlFunction.nvmlDeviceGetGraphicsRunningProcesses_v3,
                NvmlFunction.nvmlDeviceGetGraphicsRunningProcesses_v2,
                NvmlFunction.nvmlDeviceGetGraphicsRunningProcesses);
    }

    /**
     * Clients of an MPS server (nvmlDeviceGetMPSComputeRunningProcesses, _v3 to v1).
     *
     * @return the processes, empty when there is none
     */
    public Answer<List<ProcessInfo>> mps() {
        return newest(
                NvmlFunction.nvmlDeviceGetMPSComputeRunningProcesses_v3,
                NvmlFunction.nvmlDeviceGetMPSComputeRunningProcesses_v2,
                NvmlFunction.nvmlDeviceGetMPSComputeRunningProcesses);
    }

    /**
     * Processes with their protected memory (nvmlDeviceGetRunningProcessDetailList), on Hopper and newer.
     *
     * @param mode which processes
     * @return the processes, empty when there is none
     */
    public Answer<List<ProcessDetail>> details(ProcessDetail.Mode mode) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetRunningProcessDetailList;
        return CountedArray.in(
                        function, nvmlProcessDetailList_v1_t, "numProcArrayEntries", nvmlProcessDetail_v1_t.byteSize())
                .read(
                        (head, array) -> {
                            Struct list = new Struct(nvmlProcessDetailList_v1_t, head);
                            list.set("version", Layouts.version(nvmlProcessDetailList_v1_t, 1));
                            list.set("mode", mode.code());
                            list.set("procArray", array);
                            return device.calls().call(function, device, head);
                        },
                        process -> ProcessDetail.of(new Struct(nvmlProcessDetail_v1_t, process)));
    }

    /**
     * How busy each process kept the engines (nvmlDeviceGetProcessesUtilizationInfo; in older drivers
     * nvmlDeviceGetProcessUtilization). Under MPS it is all on the server.
     *
     * @param since only samples later than this time, in microseconds since the epoch as
     *     {@link ProcessUtilization#time()} gives it; 0 for all that the driver keeps
     * @return processes that were not idle; NOT_FOUND where there is none, NOT_SUPPORTED in MIG mode
     */
    public Answer<List<ProcessUtilization>> utilization(long since) {
        return Versions.newest(List.of(() -> utilizationInfo(since), () -> utilizationSamples(since)));
    }

    private Answer<List<ProcessUtilization>> utilizationInfo(long since) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetProcessesUtilizationInfo;
        return CountedArray.in(
                        function,
                        nvmlProcessesUtilizationInfo_v1_t,
                        "processSamplesCount",
                        nvmlProcessUtilizationInfo_v1_t.byteSize())
                .read(
                        (head, array) -> {
                            Struct list = new Struct(nvmlProcessesUtilizationInfo_v1_t, head);
                            list.set("version", Layouts.version(nvmlProcessesUtilizationInfo_v1_t, 1));
                            list.set("lastSeenTimeStamp", since);
                            list.set("procUtilArray", array);
                            return device.calls().call(function, device, head);
                        },
                        info -> ProcessUtilization.ofInfo(new Struct(nvmlProcessUtilizationInfo_v1_t, info)));
    }

    private Answer<List<ProcessUtilization>> utilizationSamples(long since) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetProcessUtilization;
        return CountedArray.of(function, nvmlProcessUtilizationSample_t.byteSize())
                .read(
                        (count, array) -> device.calls().call(function, device, array, count, since),
                        sample -> ProcessUtilization.ofSample(new Struct(nvmlProcessUtilizationSample_t, sample)));
    }

    private Answer<List<ProcessInfo>> newest(NvmlFunction v3, NvmlFunction v2, NvmlFunction v1) {
        Answer<List<ProcessInfo>> newest = list(v3);
        if (!Versions.older(newest)) {
            return newest;
        }
        Answer<List<ProcessInfo>> older = list(v2);
        return Versions.older(older) ? list(v1) : older;
    }

    private synchronized Answer<List<ProcessInfo>> list(NvmlFunction function) {
        int code = NvmlReturn.INSUFFICIENT_SIZE.code();
        for (int attempt = 0; attempt < ATTEMPTS && code == NvmlReturn.INSUFFICIENT_SIZE.code(); attempt++) {
            Scratch scratch = Scratch.fresh();
            MemorySegment count = scratch.take(JAVA_INT);
            MemorySegment records = ProcessRecords.room(scratch, capacity);
            count.set(JAVA_INT, 0, capacity);
            code = device.calls().call(function, device, count, records);
            int listed = count.get(JAVA_INT, 0);
            if (code == NvmlReturn.SUCCESS.code()) {
                return ProcessRecords.read(function, records, listed);
            }
            if (code == NvmlReturn.INSUFFICIENT_SIZE.code()) {
                // A few more than asked for, so that a process started meanwhile does not cost another round.
                capacity = (int) Math.min(Math.max(Integer.toUnsignedLong(listed), capacity) + 8, LARGEST_CAPACITY);
            }
        }
        return Queries.refused(function, code);
    }
}
