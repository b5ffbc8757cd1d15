// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuHeterogeneousMode_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuInstanceUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuInstancesUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuProcessUtilizationInfo_v1_t;
import static io.gpuagent.nvml.internal.VgpuLayouts.nvmlVgpuProcessesUtilizationInfo_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Numbered;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A GPU whose virtual functions are given to virtual machines, as the host sees it. Without NVIDIA's vGPU manager on the
 * host, all of it is NOT_SUPPORTED.
 */
public final class VgpuHost {
    private final Handle device;
    private final VgpuScheduler scheduler;

    VgpuHost(Handle device) {
        this.device = device;
        scheduler = new VgpuScheduler(device);
    }

    /**
     * Whether vGPUs are SR-IOV virtual functions (nvmlDeviceGetHostVgpuMode).
     *
     * @return the mode
     */
    public Answer<Coded<Mode>> mode() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetHostVgpuMode)
                .map(mode -> Coded.of(mode.intValue(), Mode.class));
    }

    /**
     * Whether vGPUs with different sizes of memory may run beside each other (nvmlDeviceGetVgpuHeterogeneousMode).
     *
     * @return true where they may; NOT_SUPPORTED in MIG mode
     */
    public Answer<Boolean> isHeterogeneous() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetVgpuHeterogeneousMode,
                nvmlVgpuHeterogeneousMode_v1_t,
                1,
                s -> s.flag("mode"));
    }

    /**
     * What the GPU can do for vGPUs (nvmlDeviceGetVgpuCapabilities).
     *
     * @param capability which
     * @return 0 for no, 1 for yes, or the capability's figure
     */
    public Answer<Long> capability(Capability capability) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetVgpuCapabilities, capability.c);
    }

    /**
     * The types of vGPU that this GPU can have (nvmlDeviceGetSupportedVgpus).
     *
     * @return the types
     */
    public Answer<List<VgpuType>> supportedTypes() {
        return numbers(NvmlFunction.nvmlDeviceGetSupportedVgpus, this::type);
    }

    /**
     * The types of which another vGPU could be made now (nvmlDeviceGetCreatableVgpus).
     *
     * @return the types
     */
    public Answer<List<VgpuType>> creatableTypes() {
        return numbers(NvmlFunction.nvmlDeviceGetCreatableVgpus, this::type);
    }

    /**
     * The vGPUs there are (nvmlDeviceGetActiveVgpus).
     *
     * @return the vGPUs
     */
    public Answer<List<Vgpu>> vgpus() {
        return numbers(NvmlFunction.nvmlDeviceGetActiveVgpus, this::vgpu);
    }

    private <T> Answer<List<T>> numbers(NvmlFunction function, IntFunction<T> maker) {
        return CountedArray.of(function, Integer.BYTES)
                .read(
                        (count, array) -> device.calls().call(function, device, count, array),
                        number -> maker.apply(number.get(JAVA_INT, 0)));
    }

    /**
     * A type by its number.
     *
     * @param id a {@link VgpuType#id()}
     * @return the type; each of its getters answers INVALID_ARGUMENT where there is no such type
     */
    public VgpuType type(int id) {
        return new VgpuType(device, new Numbered(device.calls(), id, device.gpu()));
    }

    /**
     * A vGPU by its number.
     *
     * @param id a {@link Vgpu#id()}
     * @return the vGPU; each of its getters answers NOT_FOUND where there is no such vGPU
     */
    public Vgpu vgpu(int id) {
        return new Vgpu(new Numbered(device.calls(), id, device.gpu()));
    }

    /**
     * How busy each vGPU kept the GPU (nvmlDeviceGetVgpuInstancesUtilizationInfo).
     *
     * @param since microseconds since the epoch: samples after that; 0 for all that the driver has
     * @return a record for each vGPU with samples; NOT_FOUND where there are none
     */
    public Answer<List<VgpuUtilization>> utilization(long since) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetVgpuInstancesUtilizationInfo;
        StructLayout layout = nvmlVgpuInstancesUtilizationInfo_v1_t;
        // nvml.h says that sampleValType comes back as NVML_VALUE_TYPE_UNSIGNED_INT.
        return samples(
                function,
                new Question(layout, "vgpuInstanceCount", "vgpuUtilArray", since),
                nvmlVgpuInstanceUtilizationInfo_v1_t,
                VgpuUtilization::ofVgpu);
    }

    /**
     * How busy each process in a vGPU kept the GPU (nvmlDeviceGetVgpuProcessesUtilizationInfo).
     *
     * @param since microseconds since the epoch: samples after that; 0 for all that the driver has
     * @return a record for each process that did something; NOT_FOUND where there are none
     */
    public Answer<List<VgpuUtilization>> processUtilization(long since) {
        return samples(
                NvmlFunction.nvmlDeviceGetVgpuProcessesUtilizationInfo,
                new Question(nvmlVgpuProcessesUtilizationInfo_v1_t, "vgpuProcessCount", "vgpuProcUtilArray", since),
                nvmlVgpuProcessUtilizationInfo_v1_t,
                VgpuUtilization::ofProcess);
    }

    private record Question(StructLayout layout, String count, String array, long since) {}

    private <T> Answer<List<T>> samples(
            NvmlFunction function, Question question, StructLayout sample, Function<Struct, T> reader) {
        StructLayout layout = question.layout();
        return new CountedArray(
                        function, layout.byteSize(), Layouts.offset(layout, question.count()), sample.byteSize())
                .read(
                        (head, array) -> {
                            Struct struct = new Struct(layout, head);
                            struct.set("version", Layouts.version(layout, 1));
                            struct.set("lastSeenTimeStamp", question.since());
                            struct.set(question.array(), array);
                            return device.calls().call(function, device, head);
                        },
                        (MemorySegment memory) -> reader.apply(new Struct(sample, memory)));
    }

    /**
     * How the GPU's time is shared among vGPUs.
     *
     * @return the topic
     */
    public VgpuScheduler scheduler() {
        return scheduler;
    }

    /** {@code nvmlHostVgpuMode_t}. */
    public enum Mode implements CEnum {
        /** Mediated devices. */
        NON_SRIOV(0),
        /** Virtual functions. */
        SRIOV(1);

        private final int c;

        Mode(int c) {
            this.c = c;
        }

        @Override
        public int code() {
            return c;
        }
    }

    /** {@code nvmlDeviceVgpuCapability_t}. */
    public enum Capability {
        /** Fractional types can be in a machine with several vGPUs. */
        FRACTIONAL_MULTI_VGPU(0),
        /** Different types can share the GPU's time. */
        HETEROGENEOUS_TIMESLICE_PROFILES(1),
        /** Types of different sizes can share the GPU's time. */
        HETEROGENEOUS_TIMESLICE_SIZES(2),
        /** Expected bandwidth of reading the device buffer at migration, MB per second. */
        READ_DEVICE_BUFFER_BANDWIDTH(3),
        /** Expected bandwidth of writing the device buffer at migration, MB per second. */
        WRITE_DEVICE_BUFFER_BANDWIDTH(4),
        /** Migration data can be streamed. */
        DEVICE_STREAMING(5),
        /** Quarter types of the smallest size are offered. */
        MINI_QUARTER_GPU(6),
        /** Types with compute and media engines are offered. */
        COMPUTE_MEDIA_ENGINE_GPU(7),
        /** The host's driver can be updated under running vGPUs. */
        WARM_UPDATE(8),
        /** Placements of types that share the GPU's time are told in homogeneous mode. */
        HOMOGENEOUS_PLACEMENTS(9),
        /** vGPUs can share the time of a MIG instance. */
        MIG_TIMESLICING_SUPPORTED(10),
        /** That is switched on. */
        MIG_TIMESLICING_ENABLED(11);

        private final int c;

        Capability(int c) {
            this.c = c;
        }
    }
}
