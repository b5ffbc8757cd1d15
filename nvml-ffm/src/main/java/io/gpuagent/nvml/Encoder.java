// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlEncoderSessionInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalInt;

/** The video encoder. How busy it is, {@link Utilization} tells. */
public final class Encoder {
    private final Handle device;

    Encoder(Handle device) {
        this.device = device;
    }

    /**
     * How much of the encoder is still free (nvmlDeviceGetEncoderCapacity).
     *
     * @param codec for what
     * @return percent of all it can do; NOT_SUPPORTED where it cannot do the codec
     */
    public Answer<Long> capacity(Codec codec) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetEncoderCapacity, codec.code());
    }

    /**
     * All sessions together (nvmlDeviceGetEncoderStats).
     *
     * @return count and averages
     */
    public Answer<Stats> stats() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetEncoderStats;
        Scratch scratch = Scratch.fresh();
        MemorySegment sessions = scratch.take(JAVA_INT);
        MemorySegment fps = scratch.take(JAVA_INT);
        MemorySegment latency = scratch.take(JAVA_INT);
        int code = device.calls().call(function, device, sessions, fps, latency);
        return Queries.answer(
                function,
                code,
                sessions,
                s -> new Answer.Value<>(new Stats(
                        Integer.toUnsignedLong(s.get(JAVA_INT, 0)),
                        Integer.toUnsignedLong(fps.get(JAVA_INT, 0)),
                        Integer.toUnsignedLong(latency.get(JAVA_INT, 0)))));
    }

    /**
     * Who encodes (nvmlDeviceGetEncoderSessions).
     *
     * @return the sessions, empty when there is none
     */
    public Answer<List<Session>> sessions() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetEncoderSessions;
        return CountedArray.of(function, nvmlEncoderSessionInfo_t.byteSize())
                .read(
                        (count, array) -> device.calls().call(function, device, count, array),
                        session -> Session.of(new Struct(nvmlEncoderSessionInfo_t, session)));
    }

    /**
     * Sessions of an encoder or of frame capture, together.
     *
     * @param sessions how many
     * @param averageFps frames per second, a moving average
     * @param averageLatency of a frame, a moving average in microseconds
     */
    public record Stats(long sessions, long averageFps, long averageLatency) {}

    /**
     * A session.
     *
     * @param id its number
     * @param pid the process
     * @param vgpuInstance the vGPU; empty unless this is a vGPU host
     * @param codec what it encodes to
     * @param width pixels
     * @param height pixels
     * @param averageFps frames per second, a moving average
     * @param averageLatency of a frame, a moving average in microseconds
     */
    public record Session(
            int id,
            int pid,
            OptionalInt vgpuInstance,
            Coded<Codec> codec,
            int width,
            int height,
            long averageFps,
            long averageLatency) {
        static Session of(Struct session) {
            int vgpu = session.s32("vgpuInstance");
            return new Session(
                    session.s32("sessionId"),
                    session.s32("pid"),
                    vgpu == 0 ? OptionalInt.empty() : OptionalInt.of(vgpu),
                    session.coded("codecType", Codec.class),
                    session.s32("hResolution"),
                    session.s32("vResolution"),
                    session.u32("averageFps"),
                    session.u32("averageLatency"));
        }
    }

    /** {@code nvmlEncoderType_t}. */
    public enum Codec implements CEnum {
        /** H.264. */
        H264(0x00),
        /** HEVC. */
        HEVC(0x01),
        /** AV1. */
        AV1(0x02),
        /** None that the driver knows. */
        UNKNOWN(0xFF);

        private final int code;

        Codec(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
