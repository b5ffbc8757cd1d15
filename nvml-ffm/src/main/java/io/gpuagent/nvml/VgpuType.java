// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Numbered;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** A type of vGPU, such as NVIDIA H200X-35C. None of it changes while the driver is loaded. */
public final class VgpuType {
    // nvml.h: NVML_VGPU_NAME_BUFFER_SIZE and NVML_GRID_LICENSE_BUFFER_SIZE.
    private static final int NAME_BUFFER = 64;
    private static final int LICENSE_BUFFER = 128;

    private final Handle device;
    private final Numbered type;

    VgpuType(Handle device, Numbered type) {
        this.device = device;
        this.type = type;
    }

    /**
     * Its number.
     *
     * @return the {@code nvmlVgpuTypeId_t}
     */
    public int id() {
        return type.number();
    }

    /**
     * Its name (nvmlVgpuTypeGetName).
     *
     * @return for example {@code NVIDIA H200X-35C}
     */
    public Answer<String> name() {
        return NumberedQueries.sizedString(type, NvmlFunction.nvmlVgpuTypeGetName, NAME_BUFFER);
    }

    /**
     * What it is for (nvmlVgpuTypeGetClass).
     *
     * @return for example {@code Compute}, {@code Quadro} or {@code NVS}
     */
    public Answer<String> typeClass() {
        return NumberedQueries.sizedString(type, NvmlFunction.nvmlVgpuTypeGetClass, NAME_BUFFER);
    }

    /**
     * What a machine sees on its PCI bus (nvmlVgpuTypeGetDeviceID).
     *
     * @return the ids
     */
    public Answer<PciIds> pciIds() {
        NvmlFunction function = NvmlFunction.nvmlVgpuTypeGetDeviceID;
        Scratch scratch = Scratch.fresh();
        MemorySegment id = scratch.take(JAVA_LONG);
        MemorySegment subsystem = scratch.take(JAVA_LONG);
        int code = type.calls().call(function, type, id, subsystem);
        return Queries.answer(
                function,
                code,
                id,
                // Both are 32 bits in parameters of 64.
                o -> new Answer.Value<>(new PciIds((int) o.get(JAVA_LONG, 0), (int) subsystem.get(JAVA_LONG, 0))));
    }

    /**
     * Its memory (nvmlVgpuTypeGetFramebufferSize).
     *
     * @return bytes
     */
    public Answer<Long> memory() {
        return NumberedQueries.u64(type, NvmlFunction.nvmlVgpuTypeGetFramebufferSize);
    }

    /**
     * How much of its memory is set aside (nvmlVgpuTypeGetFbReservation).
     *
     * @return bytes
     */
    public Answer<Long> reservedMemory() {
        return NumberedQueries.u64(type, NvmlFunction.nvmlVgpuTypeGetFbReservation);
    }

    /**
     * How many of it the GPU can have (nvmlVgpuTypeGetMaxInstances).
     *
     * @return the count
     */
    public Answer<Long> maxPerGpu() {
        return Queries.u32(device, NvmlFunction.nvmlVgpuTypeGetMaxInstances, type.number());
    }

    /**
     * How many of it a virtual machine can have (nvmlVgpuTypeGetMaxInstancesPerVm).
     *
     * @return the count
     */
    public Answer<Long> maxPerVm() {
        return NumberedQueries.u32(type, NvmlFunction.nvmlVgpuTypeGetMaxInstancesPerVm);
    }

    /**
     * How many displays it can drive (nvmlVgpuTypeGetNumDisplayHeads).
     *
     * @return the count
     */
    public Answer<Long> displays() {
        return NumberedQueries.u32(type, NvmlFunction.nvmlVgpuTypeGetNumDisplayHeads);
    }

    /**
     * The largest picture on a display (nvmlVgpuTypeGetResolution).
     *
     * @param display from 0
     * @return its size
     */
    public Answer<Resolution> resolution(int display) {
        NvmlFunction function = NvmlFunction.nvmlVgpuTypeGetResolution;
        Scratch scratch = Scratch.fresh();
        MemorySegment x = scratch.take(JAVA_INT);
        MemorySegment y = scratch.take(JAVA_INT);
        int code = type.calls().call(function, type, display, x, y);
        return Queries.answer(
                function, code, x, o -> new Answer.Value<>(new Resolution(o.get(JAVA_INT, 0), y.get(JAVA_INT, 0))));
    }

    /**
     * Licences with which it runs (nvmlVgpuTypeGetLicense).
     *
     * @return name and version of each, for example {@code GRID-Virtual-PC,2.0;GRID-Virtual-WS,2.0}
     */
    public Answer<String> licenses() {
        return NumberedQueries.string(type, NvmlFunction.nvmlVgpuTypeGetLicense, LICENSE_BUFFER);
    }

    /**
     * To how many frames per second it is limited (nvmlVgpuTypeGetFrameRateLimit).
     *
     * @return the limit; NOT_SUPPORTED where there is none
     */
    public Answer<Long> frameRateLimit() {
        return NumberedQueries.u32(type, NvmlFunction.nvmlVgpuTypeGetFrameRateLimit);
    }

    /**
     * On which GPU instances it runs (nvmlVgpuTypeGetGpuInstanceProfileId).
     *
     * @return a {@link GpuInstanceProfile#id()}; unavailable where it needs no MIG
     */
    public Answer<Long> gpuInstanceProfileId() {
        // INVALID_GPU_INSTANCE_PROFILE_ID is all ones, like the other values that are none.
        return NumberedQueries.u32(type, NvmlFunction.nvmlVgpuTypeGetGpuInstanceProfileId);
    }

    /**
     * What it can do (nvmlVgpuTypeGetCapabilities).
     *
     * @param capability which
     * @return true where it can
     */
    public Answer<Boolean> can(Capability capability) {
        return NumberedQueries.u32(type, NvmlFunction.nvmlVgpuTypeGetCapabilities, capability.c)
                .map(can -> can != 0);
    }

    /**
     * What a virtual machine sees on its PCI bus.
     *
     * @param device device id in the upper and vendor id in the lower 16 bits
     * @param subsystem subsystem ids, likewise
     */
    public record PciIds(int device, int subsystem) {}

    /**
     * The size of a picture.
     *
     * @param width pixels
     * @param height pixels
     */
    public record Resolution(int width, int height) {}

    /** {@code nvmlVgpuCapability_t}. */
    public enum Capability {
        /** Peer to peer over NVLink. */
        NVLINK_P2P(0),
        /** GPUDirect. */
        GPUDIRECT(1),
        /** Cannot be in one machine with other types. */
        MULTI_VGPU_EXCLUSIVE(2),
        /** Cannot be on one GPU with other types. */
        EXCLUSIVE_TYPE(3),
        /** Cannot be on one GPU with types of other sizes. */
        EXCLUSIVE_SIZE(4);

        private final int c;

        Capability(int c) {
            this.c = c;
        }
    }
}
