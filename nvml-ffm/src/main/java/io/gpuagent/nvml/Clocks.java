// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Handle;

/** Clocks, in MHz as NVML gives them. */
public final class Clocks {
    /** NVML_PSTATE_UNKNOWN of nvmlPstates_t. */
    private static final long PSTATE_UNKNOWN = 32;

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
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetClockInfo, domain.c);
    }

    /**
     * The fastest that a clock can be (nvmlDeviceGetMaxClockInfo). It takes 1 to 3 ms and does not change.
     *
     * @param domain which
     * @return MHz
     */
    public Answer<Long> max(Domain domain) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxClockInfo, domain.c);
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
        return state instanceof Answer.Value<Long>(Long number) && number == PSTATE_UNKNOWN
                ? new Answer.Unavailable<>(function)
                : state.map(Long::intValue);
    }

    /** {@code nvmlClockType_t}. */
    public enum Domain {
        /** Graphics. */
        GRAPHICS(0),
        /** Streaming multiprocessors. */
        SM(1),
        /** Memory. */
        MEMORY(2),
        /** Video encoder and decoder. */
        VIDEO(3);

        private final int c;

        Domain(int c) {
            this.c = c;
        }
    }
}
