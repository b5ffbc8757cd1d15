// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.MigLayouts.nvmlDeviceAttributes_t;
import static java.lang.foreign.ValueLayout.ADDRESS;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/**
 * A MIG device: what CUDA sees of one compute instance. NVML answers for it about name, memory and processes;
 * utilization, power, clocks and temperature are those of the whole GPU and NOT_SUPPORTED here.
 */
public final class MigDevice {
    // nvml.h: NVML_DEVICE_NAME_V2_BUFFER_SIZE and NVML_DEVICE_UUID_V2_BUFFER_SIZE.
    private static final int NAME_BUFFER = 96;
    private static final int UUID_BUFFER = 96;

    private final Handle device;
    private final int index;
    private final Memory memory;
    private final Processes processes;
    private final Ecc ecc;

    MigDevice(Handle device, int index) {
        this.device = device;
        this.index = index;
        memory = new Memory(device);
        processes = new Processes(device);
        ecc = new Ecc(device);
    }

    /**
     * Its index on the GPU, which changes with the instances.
     *
     * @return from 0, with holes
     */
    public int index() {
        return index;
    }

    /**
     * Its UUID (nvmlDeviceGetUUID). An instance made later at the same place may have the same one.
     *
     * @return {@code MIG-} and a UUID; before driver 470 {@code MIG-GPU-<UUID>/<GPU instance>/<compute instance>}
     */
    public Answer<String> uuid() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetUUID, UUID_BUFFER);
    }

    /**
     * Its name (nvmlDeviceGetName).
     *
     * @return for example {@code NVIDIA H200 MIG 1g.18gb}
     */
    public Answer<String> name() {
        return Queries.string(device, NvmlFunction.nvmlDeviceGetName, NAME_BUFFER);
    }

    /**
     * The GPU instance it belongs to (nvmlDeviceGetGpuInstanceId).
     *
     * @return a {@link GpuInstanceInfo#id()}
     */
    public Answer<Integer> gpuInstanceId() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetGpuInstanceId).map(Long::intValue);
    }

    /**
     * Its compute instance (nvmlDeviceGetComputeInstanceId).
     *
     * @return a {@link ComputeInstanceInfo#id()}
     */
    public Answer<Integer> computeInstanceId() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetComputeInstanceId).map(Long::intValue);
    }

    /**
     * What it has (nvmlDeviceGetAttributes_v2).
     *
     * @return slices, multiprocessors, engines and memory
     */
    public Answer<Attributes> attributes() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetAttributes_v2,
                nvmlDeviceAttributes_t,
                s -> new Attributes(
                        s.s32("gpuInstanceSliceCount"),
                        s.s32("computeInstanceSliceCount"),
                        s.s32("multiprocessorCount"),
                        s.s32("sharedCopyEngineCount"),
                        s.s32("sharedDecoderCount"),
                        s.s32("sharedEncoderCount"),
                        s.s32("sharedJpegCount"),
                        s.s32("sharedOfaCount"),
                        s.u64("memorySizeMB")));
    }

    /**
     * Its memory, which is that of the GPU instance: compute instances of one GPU instance share it.
     *
     * @return the topic
     */
    public Memory memory() {
        return memory;
    }

    /**
     * Who runs in it.
     *
     * @return the topic
     */
    public Processes processes() {
        return processes;
    }

    /**
     * Its memory errors. It has one counter of its own, that of uncorrected errors in SRAM since the driver was loaded
     * (nvml.h, nvmlDeviceGetMemoryErrorCounter); NVML answers NOT_SUPPORTED for the others.
     *
     * @return the topic
     */
    public Ecc ecc() {
        return ecc;
    }

    /**
     * The GPU it is on (nvmlDeviceGetDeviceHandleFromMigDeviceHandle).
     *
     * @return the GPU
     */
    public Answer<Gpu> gpu() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetDeviceHandleFromMigDeviceHandle;
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        int code = device.calls().call(function, device, out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(new Gpu(Queries.handle(device, o))));
    }

    /**
     * What a MIG device has ({@code nvmlDeviceAttributes_t}).
     *
     * @param gpuInstanceSlices slices of its GPU instance
     * @param computeInstanceSlices slices of its compute instance
     * @param multiprocessors streaming multiprocessors of its own
     * @param copyEngines copy engines, shared with the other compute instances of the GPU instance
     * @param decoders video decoders, shared
     * @param encoders video encoders, shared
     * @param jpegEngines JPEG engines, shared
     * @param ofaEngines optical flow engines, shared
     * @param memoryMiB memory of the GPU instance in MiB
     */
    public record Attributes(
            int gpuInstanceSlices,
            int computeInstanceSlices,
            int multiprocessors,
            int copyEngines,
            int decoders,
            int encoders,
            int jpegEngines,
            int ofaEngines,
            long memoryMiB) {}
}
