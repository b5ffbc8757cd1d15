// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlGpuDynamicPstatesInfo_t;
import static io.gpuagent.nvml.internal.Layouts.nvmlUtilization_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;

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
     * @return both; NOT_SUPPORTED in MIG mode; unavailable where the driver does not know one of them
     */
    public Answer<Rates> rates() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetUtilizationRates;
        MemorySegment out = Scratch.fresh().take(nvmlUtilization_t);
        int code = device.calls().call(function, device, out);
        return code == Queries.OK
                ? rates(function, out.get(JAVA_INT, GPU), out.get(JAVA_INT, MEMORY))
                : Queries.refused(function, code);
    }

    private static Answer<Rates> rates(NvmlFunction function, int gpu, int memory) {
        return gpu == Queries.NOT_AVAILABLE_32 || memory == Queries.NOT_AVAILABLE_32
                ? new Answer.Unavailable<>(function)
                : new Answer.Value<>(new Rates(Integer.toUnsignedLong(gpu), Integer.toUnsignedLong(memory)));
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
     * How busy each domain was in the last second, and where that makes the GPU change its performance state
     * (nvmlDeviceGetDynamicPstatesInfo).
     *
     * @return the domains that this GPU has
     */
    public Answer<List<DomainLoad>> domains() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetDynamicPstatesInfo,
                nvmlGpuDynamicPstatesInfo_t,
                Utilization::domains);
    }

    private static List<DomainLoad> domains(Struct info) {
        List<Struct> all = info.list("utilization", Integer.MAX_VALUE, domain -> domain);
        return IntStream.range(0, all.size())
                .filter(i -> all.get(i).flag("bIsPresent"))
                .mapToObj(i -> DomainLoad.of(i, all.get(i)))
                .toList();
    }

    /**
     * How busy a domain was, in percent of time.
     *
     * @param domain which
     * @param busy in the last second
     * @param faster above this the GPU may go to a faster performance state; 0 on an H200
     * @param slower below this it may go to a slower one; 0 on an H200
     */
    public record DomainLoad(Coded<Domain> domain, long busy, long faster, long slower) {
        private static DomainLoad of(int number, Struct domain) {
            return new DomainLoad(
                    Coded.of(number, Domain.class),
                    domain.u32("percentage"),
                    domain.u32("incThreshold"),
                    domain.u32("decThreshold"));
        }
    }

    /** {@code nvmlGpuUtilizationDomainId_t}. */
    public enum Domain implements CEnum {
        /** The graphics engine. */
        GPU(0),
        /** The frame buffer. */
        FRAME_BUFFER(1),
        /** The video engine. */
        VIDEO(2),
        /** The bus interface. */
        BUS(3);

        private final int code;

        Domain(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
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
