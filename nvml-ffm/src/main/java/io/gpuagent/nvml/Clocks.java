// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlClkMonStatus_t;
import static io.gpuagent.nvml.internal.ClockLayouts.nvmlViolationTime_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Clocks, in MHz as NVML gives them. */
public final class Clocks {
    private final Handle device;

    Clocks(Handle device) {
        this.device = device;
    }

    /**
     * A clock now (nvmlDeviceGetClockInfo).
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> current(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetClockInfo, domain.code);
    }

    /**
     * The fastest that a clock can be (nvmlDeviceGetMaxClockInfo). It takes 1 to 3 ms and does not change.
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> max(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxClockInfo, domain.code);
    }

    /**
     * Why clocks are low now (nvmlDeviceGetCurrentClocksEventReasons, in older drivers …ThrottleReasons).
     *
     * @return a mask of nvmlClocksEventReason* bits
     */
    public Answer<Long> eventReasons() {
        return Queries.u64(device, NvmlFunction.nvmlDeviceGetCurrentClocksEventReasons);
    }

    /**
     * Which reasons this GPU can report (nvmlDeviceGetSupportedClocksEventReasons).
     *
     * @return a mask of nvmlClocksEventReason* bits
     */
    public Answer<Long> supportedEventReasons() {
        return Queries.u64(device, NvmlFunction.nvmlDeviceGetSupportedClocksEventReasons);
    }

    /**
     * The P-state (nvmlDeviceGetPerformanceState).
     *
     * @return 0, the fastest, to 15; unavailable where the driver answers NVML_PSTATE_UNKNOWN (32)
     */
    public Answer<Integer> performanceState() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetPerformanceState;
        Answer<Long> state = Queries.u32(device, function);
        return state instanceof Answer.Value<Long>(Long number) && number == PerformanceStates.UNKNOWN
                ? new Answer.Unavailable<>(function)
                : state.map(Long::intValue);
    }

    /**
     * A clock of some kind (nvmlDeviceGetClock).
     *
     * @param domain which
     * @param kind now, or the most it may be
     * @return MHz
     */
    public Answer<Long> of(Domain domain, Kind kind) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetClock, domain.code, kind.code);
    }

    /**
     * The most that the board vendor lets a clock be (nvmlDeviceGetMaxCustomerBoostClock).
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> maxCustomerBoost(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxCustomerBoostClock, domain.code);
    }

    /**
     * The application clock (nvmlDeviceGetApplicationsClock). NVIDIA will drop it with CUDA 14.
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> application(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetApplicationsClock, domain.code);
    }

    /**
     * The application clock where nobody set one (nvmlDeviceGetDefaultApplicationsClock). NVIDIA will drop it with CUDA 14.
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> defaultApplication(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetDefaultApplicationsClock, domain.code);
    }

    /**
     * What the memory clock can be locked to (nvmlDeviceGetSupportedMemoryClocks).
     *
     * @return MHz each
     */
    public Answer<List<Long>> supportedMemory() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetSupportedMemoryClocks;
        return CountedArray.of(function, Integer.BYTES)
                .read((count, clocks) -> device.calls().call(function, device, count, clocks), Clocks::megahertz);
    }

    /**
     * What the graphics clock can be locked to (nvmlDeviceGetSupportedGraphicsClocks).
     *
     * @param memory at this memory clock, MHz, one of {@link #supportedMemory()}
     * @return MHz each; NOT_FOUND or INVALID_ARGUMENT where the memory cannot run so
     */
    public Answer<List<Long>> supportedGraphics(long memory) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetSupportedGraphicsClocks;
        return CountedArray.of(function, Integer.BYTES)
                .read(
                        (count, clocks) -> device.calls().call(function, device, (int) memory, count, clocks),
                        Clocks::megahertz);
    }

    private static long megahertz(MemorySegment clock) {
        return Integer.toUnsignedLong(clock.get(JAVA_INT, 0));
    }

    /**
     * Whether the clocks adapt to the voltage (nvmlDeviceGetAdaptiveClockInfoStatus).
     *
     * @return true where they do
     */
    public Answer<Boolean> isAdaptive() {
        return Queries.flag(device, NvmlFunction.nvmlDeviceGetAdaptiveClockInfoStatus);
    }

    /**
     * Whether clocks are boosted by themselves (nvmlDeviceGetAutoBoostedClocksEnabled).
     *
     * @return now and without a client; NOT_SUPPORTED from Pascal on
     */
    public Answer<AutoBoost> autoBoost() {
        return Queries.pair(device, NvmlFunction.nvmlDeviceGetAutoBoostedClocksEnabled)
                .map(pair -> new AutoBoost(pair.first() != 0, pair.second() != 0));
    }

    /**
     * What the clock monitors found (nvmlDeviceGetClkMonStatus). Only root may ask.
     *
     * @return the faults
     */
    public Answer<Monitors> monitors() {
        return Structs.plain(device, NvmlFunction.nvmlDeviceGetClkMonStatus, nvmlClkMonStatus_t, Monitors::of);
    }

    /**
     * How long a policy has kept the clocks down (nvmlDeviceGetViolationStatus). It takes 1 ms on an H200; newer drivers
     * give the same as field values.
     *
     * @param policy which
     * @return the time
     */
    public Answer<Violation> violation(Policy policy) {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetViolationStatus,
                policy.code,
                nvmlViolationTime_t,
                time -> new Violation(time.u64("referenceTime"), time.u64("violationTime")));
    }

    /**
     * Whether clocks are boosted by themselves.
     *
     * @param enabled now
     * @param byDefault when no program uses the GPU
     */
    public record AutoBoost(boolean enabled, boolean byDefault) {}

    /**
     * What the clock monitors found.
     *
     * @param isFaulty whether there is any fault
     * @param faults the clocks that are wrong
     */
    public record Monitors(boolean isFaulty, List<Fault> faults) {
        private static Monitors of(Struct status) {
            return new Monitors(
                    status.flag("bGlobalStatus"),
                    status.list(
                            "clkMonList",
                            status.u32("clkMonListSize"),
                            fault -> new Fault(fault.u32("clkApiDomain"), fault.u32("clkDomainFaultMask"))));
        }

        /**
         * A clock that is wrong, in numbers that nvml.h does not explain.
         *
         * @param domain which clock
         * @param mask what is wrong
         */
        public record Fault(long domain, long mask) {}
    }

    /**
     * How long clocks were kept down.
     *
     * @param time when this was read, microseconds since the epoch
     * @param nanos nanoseconds since the driver was loaded
     */
    public record Violation(long time, long nanos) {}

    /** {@code nvmlClockId_t}. */
    public enum Kind implements CEnum {
        /** What it is now. */
        CURRENT(0),
        /** The application clock; deprecated. */
        APPLICATION(1),
        /** The application clock where nobody set one; deprecated. */
        DEFAULT_APPLICATION(2),
        /** The most that the board vendor allows. */
        MAX_CUSTOMER_BOOST(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlPerfPolicyType_t}. */
    public enum Policy implements CEnum {
        /** The power limit. */
        POWER(0),
        /** Heat. */
        THERMAL(1),
        /** Sync boost. */
        SYNC_BOOST(2),
        /** A limit of the board. */
        BOARD_LIMIT(3),
        /** Low utilization. */
        LOW_UTILIZATION(4),
        /** A limit for the board's reliability. */
        RELIABILITY(5),
        /** Any of them, below the application clocks. */
        TOTAL_APPLICATION_CLOCKS(10),
        /** Any of them, below the base clocks. */
        TOTAL_BASE_CLOCKS(11);

        private final int code;

        Policy(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlClockType_t}. */
    public enum Domain implements CEnum {
        /** Graphics. */
        GRAPHICS(0),
        /** Streaming multiprocessors. */
        SM(1),
        /** Memory. */
        MEMORY(2),
        /** Video encoder and decoder. */
        VIDEO(3);

        private final int code;

        Domain(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
