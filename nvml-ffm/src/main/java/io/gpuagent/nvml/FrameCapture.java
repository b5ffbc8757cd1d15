// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlFBCSessionInfo_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlFBCStats_t;

import io.gpuagent.nvml.internal.Handle;
import java.util.List;
import java.util.OptionalInt;

/** Frame buffer capture (NvFBC). */
public final class FrameCapture {
    private final Handle device;

    FrameCapture(Handle device) {
        this.device = device;
    }

    /**
     * All sessions together (nvmlDeviceGetFBCStats).
     *
     * @return count and averages
     */
    public Answer<Encoder.Stats> stats() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetFBCStats,
                nvmlFBCStats_t,
                stats -> new Encoder.Stats(
                        stats.u32("sessionsCount"), stats.u32("averageFPS"), stats.u32("averageLatency")));
    }

    /**
     * Who captures (nvmlDeviceGetFBCSessions).
     *
     * @return the sessions, empty when there is none
     */
    public Answer<List<Session>> sessions() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetFBCSessions;
        return CountedArray.of(function, nvmlFBCSessionInfo_t.byteSize())
                .read(
                        (count, array) -> device.calls().call(function, device, count, array),
                        session -> Session.of(new Struct(nvmlFBCSessionInfo_t, session)));
    }

    /**
     * A session. Resolution and averages are 0 until it has captured a frame.
     *
     * @param id its number
     * @param pid the process
     * @param vgpuInstance the vGPU; empty unless this is a vGPU host
     * @param display the display's number
     * @param type where the frames go
     * @param flags a mask of NVML_NVFBC_SESSION_FLAG_* bits
     * @param maxWidth pixels
     * @param maxHeight pixels
     * @param width pixels
     * @param height pixels
     * @param averageFps new frames per second, a moving average
     * @param averageLatency of a frame, a moving average in microseconds
     */
    public record Session(
            int id,
            int pid,
            OptionalInt vgpuInstance,
            int display,
            Coded<Type> type,
            long flags,
            int maxWidth,
            int maxHeight,
            int width,
            int height,
            long averageFps,
            long averageLatency) {
        private static Session of(Struct session) {
            int vgpu = session.s32("vgpuInstance");
            return new Session(
                    session.s32("sessionId"),
                    session.s32("pid"),
                    vgpu == 0 ? OptionalInt.empty() : OptionalInt.of(vgpu),
                    session.s32("displayOrdinal"),
                    session.coded("sessionType", Type.class),
                    session.u32("sessionFlags"),
                    session.s32("hMaxResolution"),
                    session.s32("vMaxResolution"),
                    session.s32("hResolution"),
                    session.s32("vResolution"),
                    session.u32("averageFPS"),
                    session.u32("averageLatency"));
        }
    }

    /** {@code nvmlFBCSessionType_t}. */
    public enum Type implements CEnum {
        /** None that the driver knows. */
        UNKNOWN(0),
        /** To system memory. */
        TO_SYSTEM(1),
        /** To CUDA. */
        CUDA(2),
        /** To video memory. */
        VIDEO(3),
        /** To the hardware encoder. */
        HARDWARE_ENCODER(4);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
