// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlAccountingStats_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlEncoderSessionInfo_t;
import static io.gpuagent.nvml.internal.ActivityLayouts.nvmlFBCStats_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuLicenseInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Numbered;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A vGPU of a virtual machine, as its host sees it ({@code nvmlVgpuInstance_t}). Once it is gone, its getters answer
 * NOT_FOUND. What the driver in the machine must tell is DRIVER_NOT_LOADED until that driver runs.
 */
public final class Vgpu {
    // nvml.h: NVML_DEVICE_UUID_BUFFER_SIZE, NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE, NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE.
    private static final int UUID_BUFFER = 80;
    private static final int VERSION_BUFFER = 80;
    private static final int PCI_BUFFER = 32;
    /** What the driver gives for a version where none runs in the machine. */
    private static final String NO_VERSION = "Not Available";
    /** What the driver gives for an address where none runs in the machine. */
    private static final String NO_ADDRESS = "00000000:00:00.0";

    private final Numbered vgpu;

    Vgpu(Numbered vgpu) {
        this.vgpu = vgpu;
    }

    /**
     * Its number.
     *
     * @return the {@code nvmlVgpuInstance_t}
     */
    public int id() {
        return vgpu.number();
    }

    /**
     * Its UUID (nvmlVgpuInstanceGetUUID).
     *
     * @return 36 characters
     */
    public Answer<String> uuid() {
        return NumberedQueries.string(vgpu, NvmlFunction.nvmlVgpuInstanceGetUUID, UUID_BUFFER);
    }

    /**
     * The UUID of its mediated device (nvmlVgpuInstanceGetMdevUUID).
     *
     * @return 36 characters; NOT_SUPPORTED on other hypervisors than KVM
     */
    public Answer<String> mdevUuid() {
        return NumberedQueries.string(vgpu, NvmlFunction.nvmlVgpuInstanceGetMdevUUID, UUID_BUFFER);
    }

    /**
     * The virtual machine it is in (nvmlVgpuInstanceGetVmID).
     *
     * @return the machine's id, whose form depends on the hypervisor
     */
    public Answer<Vm> vm() {
        NvmlFunction function = NvmlFunction.nvmlVgpuInstanceGetVmID;
        Scratch scratch = Scratch.fresh();
        MemorySegment id = scratch.take(UUID_BUFFER);
        MemorySegment kind = scratch.take(JAVA_INT);
        int code = vgpu.calls().call(function, vgpu, id, UUID_BUFFER, kind);
        return Queries.answer(
                function,
                code,
                id,
                o -> new Answer.Value<>(new Vm(Queries.string(o), Coded.of(kind.get(JAVA_INT, 0), IdKind.class))));
    }

    /**
     * The driver in the virtual machine (nvmlVgpuInstanceGetVmDriverVersion).
     *
     * @return its version; unavailable while none runs
     */
    public Answer<String> guestDriverVersion() {
        return unless(
                NO_VERSION,
                NumberedQueries.string(vgpu, NvmlFunction.nvmlVgpuInstanceGetVmDriverVersion, VERSION_BUFFER),
                NvmlFunction.nvmlVgpuInstanceGetVmDriverVersion);
    }

    /**
     * Where it is on the machine's PCI bus (nvmlVgpuInstanceGetGpuPciId).
     *
     * @return for example {@code 00000000:02:00.0}; unavailable while no driver runs there
     */
    public Answer<String> guestPciAddress() {
        return unless(
                NO_ADDRESS,
                NumberedQueries.sizedString(vgpu, NvmlFunction.nvmlVgpuInstanceGetGpuPciId, PCI_BUFFER),
                NvmlFunction.nvmlVgpuInstanceGetGpuPciId);
    }

    private static Answer<String> unless(String none, Answer<String> answer, NvmlFunction function) {
        return answer instanceof Answer.Value<String>(String text) && text.equals(none)
                ? new Answer.Unavailable<>(function)
                : answer;
    }

    /**
     * Its type (nvmlVgpuInstanceGetType).
     *
     * @return a {@link VgpuType#id()}
     */
    public Answer<Integer> typeId() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetType).map(Long::intValue);
    }

    /**
     * The GPU instance it runs on (nvmlVgpuInstanceGetGpuInstanceId).
     *
     * @return a {@link GpuInstanceInfo#id()}; unavailable where it is on none
     */
    public Answer<Integer> gpuInstanceId() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetGpuInstanceId)
                .map(Long::intValue);
    }

    /**
     * How much of its memory is in use (nvmlVgpuInstanceGetFbUsage).
     *
     * @return bytes
     */
    public Answer<Long> memoryUsed() {
        return NumberedQueries.u64(vgpu, NvmlFunction.nvmlVgpuInstanceGetFbUsage);
    }

    /**
     * Whether it is licensed (nvmlVgpuInstanceGetLicenseInfo_v2).
     *
     * @return the licence's state
     */
    public Answer<VgpuLicense> license() {
        return NumberedQueries.struct(
                vgpu, NvmlFunction.nvmlVgpuInstanceGetLicenseInfo_v2, nvmlVgpuLicenseInfo_t, VgpuLicense::of);
    }

    /**
     * To how many frames per second it is limited (nvmlVgpuInstanceGetFrameRateLimit).
     *
     * @return the limit; NOT_SUPPORTED where there is none
     */
    public Answer<Long> frameRateLimit() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetFrameRateLimit);
    }

    /**
     * Whether its memory has ECC (nvmlVgpuInstanceGetEccMode).
     *
     * @return true where it has
     */
    public Answer<Boolean> isEccEnabled() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetEccMode)
                .map(mode -> mode != 0);
    }

    /**
     * How much of the video encoder it may take (nvmlVgpuInstanceGetEncoderCapacity).
     *
     * @return percent
     */
    public Answer<Long> encoderCapacity() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetEncoderCapacity);
    }

    /**
     * All encoder sessions together (nvmlVgpuInstanceGetEncoderStats).
     *
     * @return count and averages
     */
    public Answer<Encoder.Stats> encoderStats() {
        NvmlFunction function = NvmlFunction.nvmlVgpuInstanceGetEncoderStats;
        Scratch scratch = Scratch.fresh();
        MemorySegment sessions = scratch.take(JAVA_INT);
        MemorySegment fps = scratch.take(JAVA_INT);
        MemorySegment latency = scratch.take(JAVA_INT);
        int code = vgpu.calls().call(function, vgpu, sessions, fps, latency);
        return Queries.answer(
                function,
                code,
                sessions,
                o -> new Answer.Value<>(new Encoder.Stats(
                        Integer.toUnsignedLong(o.get(JAVA_INT, 0)),
                        Integer.toUnsignedLong(fps.get(JAVA_INT, 0)),
                        Integer.toUnsignedLong(latency.get(JAVA_INT, 0)))));
    }

    /**
     * Who encodes (nvmlVgpuInstanceGetEncoderSessions).
     *
     * @return the sessions, with process ids of the virtual machine; empty when there is none
     */
    public Answer<List<Encoder.Session>> encoderSessions() {
        NvmlFunction function = NvmlFunction.nvmlVgpuInstanceGetEncoderSessions;
        return CountedArray.of(function, nvmlEncoderSessionInfo_t.byteSize())
                .read(
                        (count, array) -> vgpu.calls().call(function, vgpu, count, array),
                        session -> Encoder.Session.of(new Struct(nvmlEncoderSessionInfo_t, session)));
    }

    /**
     * All frame capture sessions together (nvmlVgpuInstanceGetFBCStats).
     *
     * @return count and averages
     */
    public Answer<Encoder.Stats> frameCaptureStats() {
        return NumberedQueries.struct(
                vgpu,
                NvmlFunction.nvmlVgpuInstanceGetFBCStats,
                nvmlFBCStats_t,
                s -> new Encoder.Stats(s.u32("sessionsCount"), s.u32("averageFPS"), s.u32("averageLatency")));
    }

    /**
     * Whether the driver keeps a record of its processes (nvmlVgpuInstanceGetAccountingMode).
     *
     * @return true where it does
     */
    public Answer<Boolean> isAccountingEnabled() {
        return NumberedQueries.u32(vgpu, NvmlFunction.nvmlVgpuInstanceGetAccountingMode)
                .map(mode -> mode != 0);
    }

    /**
     * Processes on record, running or ended (nvmlVgpuInstanceGetAccountingPids).
     *
     * @return their ids in the virtual machine; NOT_SUPPORTED where the record is off
     */
    public Answer<List<Integer>> accountedPids() {
        NvmlFunction function = NvmlFunction.nvmlVgpuInstanceGetAccountingPids;
        return CountedArray.of(function, Integer.BYTES)
                .read((count, array) -> vgpu.calls().call(function, vgpu, count, array), pid -> pid.get(JAVA_INT, 0));
    }

    /**
     * What is on record of a process (nvmlVgpuInstanceGetAccountingStats).
     *
     * @param pid its id in the virtual machine
     * @return its figures; NOT_FOUND where it is not on record, NOT_SUPPORTED where the record is off
     */
    public Answer<Accounting.Stats> accounted(int pid) {
        NvmlFunction function = NvmlFunction.nvmlVgpuInstanceGetAccountingStats;
        Struct stats = new Struct(nvmlAccountingStats_t, Scratch.fresh().take(nvmlAccountingStats_t));
        int code = vgpu.calls().call(function, vgpu, pid, stats.memory());
        return Queries.answer(function, code, stats.memory(), o -> new Answer.Value<>(Accounting.Stats.of(stats)));
    }

    /**
     * A virtual machine.
     *
     * @param id its id
     * @param kind what the id is
     */
    public record Vm(String id, Coded<IdKind> kind) {}

    /** {@code nvmlVgpuVmIdType_t}. */
    public enum IdKind implements CEnum {
        /** The hypervisor's domain id. */
        DOMAIN_ID(0),
        /** A UUID. */
        UUID(1);

        private final int c;

        IdKind(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }
}
