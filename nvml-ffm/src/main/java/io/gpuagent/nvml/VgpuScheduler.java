// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerCapabilities_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerGetState_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuSchedulerLog_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** How a GPU's time is shared among vGPUs. NOT_SUPPORTED in MIG mode and on GPUs that host no vGPUs. */
public final class VgpuScheduler {
    /** NVML_VGPU_SCHEDULER_ARR_ENABLE. */
    private static final int ARR_ENABLED = 2;

    private final Handle device;

    VgpuScheduler(Handle device) {
        this.device = device;
    }

    /**
     * What it can be set to (nvmlDeviceGetVgpuSchedulerCapabilities); for the graphics engine.
     *
     * @return policies and ranges
     */
    public Answer<Capabilities> capabilities() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetVgpuSchedulerCapabilities,
                nvmlVgpuSchedulerCapabilities_t,
                s -> new Capabilities(
                        // The array is filled up with NVML_VGPU_SCHEDULER_POLICY_UNKNOWN.
                        Arrays.stream(s.part("supportedSchedulers").toArray(JAVA_INT))
                                .filter(policy -> policy != Policy.UNKNOWN.c)
                                .mapToObj(policy -> Coded.of(policy, Policy.class))
                                .toList(),
                        s.u32("minTimeslice"),
                        s.u32("maxTimeslice"),
                        s.flag("isArrModeSupported"),
                        s.u32("minFrequencyForARR"),
                        s.u32("maxFrequencyForARR"),
                        s.u32("minAvgFactorForARR"),
                        s.u32("maxAvgFactorForARR")));
    }

    /**
     * What it is set to (nvmlDeviceGetVgpuSchedulerState).
     *
     * @return policy and time slice
     */
    public Answer<Setting> setting() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetVgpuSchedulerState,
                nvmlVgpuSchedulerGetState_t,
                VgpuScheduler::setting);
    }

    private static Setting setting(Struct s) {
        int[] words = s.part("schedulerParams").toArray(JAVA_INT);
        boolean isAdaptive = s.s32("arrMode") == ARR_ENABLED;
        return new Setting(
                s.coded("schedulerPolicy", Policy.class),
                isAdaptive,
                Integer.toUnsignedLong(words[isAdaptive ? 1 : 0]),
                isAdaptive ? OptionalLong.of(Integer.toUnsignedLong(words[0])) : OptionalLong.empty());
    }

    /**
     * What it did last (nvmlDeviceGetVgpuSchedulerLog). The log holds 200 turns: to miss none, read it five times a second.
     *
     * @return the setting and the turns
     */
    public Answer<Log> log() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetVgpuSchedulerLog,
                nvmlVgpuSchedulerLog_t,
                s -> new Log(
                        s.s32("engineId"),
                        setting(s),
                        s.list(
                                "logEntries",
                                s.u32("entriesCount"),
                                e -> new Turn(
                                        e.u64("timestamp"),
                                        e.s32("swRunlistId"),
                                        e.u64("timeRun"),
                                        e.u64("timeRunTotal"),
                                        e.u64("targetTimeSlice"),
                                        e.u64("cumulativePreemptionTime")))));
    }

    /**
     * What the scheduler can be set to ({@code nvmlVgpuSchedulerCapabilities_t}).
     *
     * @param policies how time can be shared
     * @param minTimeSlice nanoseconds
     * @param maxTimeSlice nanoseconds
     * @param adaptive whether there is adaptive round robin
     * @param minFrequency hertz, of adaptive round robin
     * @param maxFrequency hertz, of adaptive round robin
     * @param minAveragingFactor of adaptive round robin
     * @param maxAveragingFactor of adaptive round robin
     */
    public record Capabilities(
            List<Coded<Policy>> policies,
            long minTimeSlice,
            long maxTimeSlice,
            boolean adaptive,
            long minFrequency,
            long maxFrequency,
            long minAveragingFactor,
            long maxAveragingFactor) {}

    /**
     * What the scheduler is set to ({@code nvmlVgpuSchedulerGetState_t}).
     *
     * @param policy how time is shared
     * @param adaptive whether by adaptive round robin
     * @param timeSlice nanoseconds a turn; without meaning for best effort
     * @param averagingFactor of adaptive round robin; empty without it
     */
    public record Setting(Coded<Policy> policy, boolean adaptive, long timeSlice, OptionalLong averagingFactor) {}

    /**
     * What the scheduler did ({@code nvmlVgpuSchedulerLog_t}).
     *
     * @param engine 1 for graphics and compute
     * @param setting what it was set to
     * @param turns up to 200
     */
    public record Log(int engine, Setting setting, List<Turn> turns) {}

    /**
     * A turn of a vGPU's list of work ({@code nvmlVgpuSchedulerLogEntry_t}).
     *
     * @param timestamp when it was taken off, nanoseconds
     * @param runlist the list
     * @param time how long it had run, nanoseconds
     * @param totalTime how long it has run in all, nanoseconds
     * @param targetTimeSlice how long it should have run, nanoseconds
     * @param preemptionTime how long it has been taken off in all, nanoseconds
     */
    public record Turn(
            long timestamp, int runlist, long time, long totalTime, long targetTimeSlice, long preemptionTime) {}

    /** NVML_VGPU_SCHEDULER_POLICY_*. */
    public enum Policy implements CEnum {
        /** None that the driver tells. */
        UNKNOWN(0),
        /** Whoever has work. */
        BEST_EFFORT(1),
        /** The same for each vGPU there is. */
        EQUAL_SHARE(2),
        /** What the type is entitled to. */
        FIXED_SHARE(3);

        private final int c;

        Policy(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }
}
