// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlUtilization_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** How busy the engines were over the driver's last sample period, in percent of its time. */
public final class Utilization {
    private static final long GPU = offset(nvmlUtilization_t, "gpu");
    private static final long MEMORY = offset(nvmlUtilization_t, "memory");

    private final Handle device;

    Utilization(Handle device) {
        this.device = device;
    }

    /**
     * Compute and memory (nvmlDeviceGetUtilizationRates).
     *
     * @return both; NOT_SUPPORTED in MIG mode
     */
    public Answer<Rates> rates() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetUtilizationRates;
        MemorySegment out = Scratch.fresh().take(nvmlUtilization_t);
        int code = device.calls().call(function, device, out);
        return Queries.answer(
                function,
                code,
                out,
                o -> new Answer.Value<>(new Rates(
                        Integer.toUnsignedLong(o.get(JAVA_INT, GPU)),
                        Integer.toUnsignedLong(o.get(JAVA_INT, MEMORY)))));
    }

    /**
     * The video encoder (nvmlDeviceGetEncoderUtilization).
     *
     * @return percent
     */
    public Answer<Long> encoder() {
        return engine(NvmlFunction.nvmlDeviceGetEncoderUtilization);
    }

    /**
     * The video decoder (nvmlDeviceGetDecoderUtilization).
     *
     * @return percent
     */
    public Answer<Long> decoder() {
        return engine(NvmlFunction.nvmlDeviceGetDecoderUtilization);
    }

    /**
     * The JPEG engine (nvmlDeviceGetJpgUtilization).
     *
     * @return percent
     */
    public Answer<Long> jpeg() {
        return engine(NvmlFunction.nvmlDeviceGetJpgUtilization);
    }

    /**
     * The optical flow engine (nvmlDeviceGetOfaUtilization).
     *
     * @return percent
     */
    public Answer<Long> ofa() {
        return engine(NvmlFunction.nvmlDeviceGetOfaUtilization);
    }

    private Answer<Long> engine(NvmlFunction function) {
        // The second out-parameter is the sampling period in microseconds.
        return Queries.pair(device, function).map(Queries.Pair::first);
    }

    /**
     * Busy time of compute and memory, as the driver gave it: a value over 100 is the driver's mistake, and the caller's
     * to judge.
     *
     * @param gpu percent of time in which a kernel ran
     * @param memory percent of time in which memory was read or written
     */
    public record Rates(long gpu, long memory) {}
}
