// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlDeviceCurrentClockFreqs_v1_t;
import static io.gpuagent.nvml.internal.ClockLayouts.nvmlDevicePerfModes_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Performance states (P-states), from 0, the fastest, to 15. Which one holds now, {@link Clocks} tells. */
public final class PerformanceStates {
    /** NVML_PSTATE_UNKNOWN of nvmlPstates_t. */
    static final int UNKNOWN = 32;
    /** NVML_MAX_GPU_PERF_PSTATES. */
    private static final int MAX_STATES = 16;

    private final Handle device;

    PerformanceStates(Handle device) {
        this.device = device;
    }

    /**
     * The states that this GPU has (nvmlDeviceGetSupportedPerformanceStates).
     *
     * @return their numbers, as the driver orders them
     */
    public Answer<List<Integer>> supported() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetSupportedPerformanceStates;
        int bytes = MAX_STATES * Integer.BYTES;
        MemorySegment states = Scratch.fresh().take(bytes);
        int code = device.calls().call(function, device, states, bytes);
        return Queries.answer(
                function,
                code,
                states,
                s -> new Answer.Value<>(IntStream.of(s.toArray(JAVA_INT))
                        .filter(state -> state != UNKNOWN)
                        .boxed()
                        .toList()));
    }

    /**
     * Between what a clock runs in a state (nvmlDeviceGetMinMaxClockOfPState).
     *
     * @param domain which clock
     * @param state 0 to 15
     * @return both ends, MHz
     */
    public Answer<ClockRange> clockRange(Clocks.Domain domain, int state) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMinMaxClockOfPState;
        Scratch scratch = Scratch.fresh();
        MemorySegment min = scratch.take(JAVA_INT);
        MemorySegment max = scratch.take(JAVA_INT);
        int code = device.calls().call(function, device, domain.code(), state, min, max);
        return Queries.answer(
                function,
                code,
                min,
                m -> new Answer.Value<>(new ClockRange(
                        Integer.toUnsignedLong(m.get(JAVA_INT, 0)), Integer.toUnsignedLong(max.get(JAVA_INT, 0)))));
    }

    /**
     * All levels with their clocks (nvmlDeviceGetPerformanceModes). It takes milliseconds.
     *
     * @return per level what the driver writes of it, such as {@code nvclockmax} (MHz); not all names are there on all
     *     GPUs, and drivers differ in their case
     */
    public Answer<List<Map<String, String>>> levels() {
        return Structs.versioned(
                        device,
                        NvmlFunction.nvmlDeviceGetPerformanceModes,
                        nvmlDevicePerfModes_v1_t,
                        1,
                        modes -> modes.text("str"))
                .map(text -> Stream.of(text.split(";", -1))
                        .filter(level -> !level.isBlank())
                        .map(PerformanceStates::tokens)
                        .toList());
    }

    /**
     * The clocks now (nvmlDeviceGetCurrentClockFreqs). It takes 4 ms on an H200; {@link Clocks#current} takes one.
     *
     * @return what the driver writes of them, as in {@link #levels()}
     */
    public Answer<Map<String, String>> currentClocks() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetCurrentClockFreqs,
                nvmlDeviceCurrentClockFreqs_v1_t,
                1,
                clocks -> tokens(clocks.text("str")));
    }

    /** A comma-separated list of {@code token=value}. */
    private static Map<String, String> tokens(String level) {
        Map<String, String> tokens = new LinkedHashMap<>();
        for (String token : level.split(",", -1)) {
            int equals = token.indexOf('=');
            if (equals > 0) {
                tokens.put(
                        token.substring(0, equals).strip(),
                        token.substring(equals + 1).strip());
            }
        }
        return tokens;
    }

    /**
     * Between what a clock runs.
     *
     * @param min MHz
     * @param max MHz
     */
    public record ClockRange(long min, long max) {}
}
