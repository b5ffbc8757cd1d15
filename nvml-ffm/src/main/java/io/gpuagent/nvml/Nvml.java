// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.DeviceLayouts.nvmlSystemDriverBranchInfo_v1_t;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * A session with NVML: opened by nvmlInit, ended by nvmlShutdown. Everything obtained from a session answers
 * {@link NvmlReturn#UNINITIALIZED} once the session is closed, without a call.
 */
public final class Nvml {
    // nvml.h: NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE and NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE.
    private static final int VERSION_BUFFER = 80;
    private static final int PROCESS_NAME_BUFFER = 1024;

    private final Calls calls;
    private boolean isShutDown;

    private Nvml(Calls calls) {
        this.calls = calls;
    }

    /**
     * Initialises NVML (nvmlInit_v2) for reading: nothing obtained from this session changes anything.
     *
     * @param symbols the library, or a simulation
     * @param observer sees each call
     * @param nanos a monotonic clock in nanoseconds, for the observer's durations
     * @return the session, or why there is none: DRIVER_NOT_LOADED, LIB_RM_VERSION_MISMATCH, NO_PERMISSION,
     *     OPERATING_SYSTEM, or FUNCTION_NOT_FOUND where {@code symbols} is no NVML
     */
    public static Answer<Nvml> open(SymbolSource symbols, CallObserver observer, LongSupplier nanos) {
        return open(symbols, observer, nanos, Access.READ_ONLY);
    }

    /**
     * Initialises NVML (nvmlInit_v2).
     *
     * @param symbols the library, or a simulation
     * @param observer sees each call
     * @param nanos a monotonic clock in nanoseconds, for the observer's durations
     * @param access whether the session may change anything
     * @return the session, or why there is none, as {@link #open(SymbolSource, CallObserver, LongSupplier)}
     */
    public static Answer<Nvml> open(SymbolSource symbols, CallObserver observer, LongSupplier nanos, Access access) {
        Calls calls = new Calls(symbols, observer, nanos, access);
        int code = calls.call(NvmlFunction.nvmlInit_v2);
        return code == NvmlReturn.SUCCESS.code()
                ? new Answer.Value<>(new Nvml(calls))
                : Queries.refused(NvmlFunction.nvmlInit_v2, code);
    }

    /**
     * Ends the session: no further call is made, and NVML is shut down (nvmlShutdown) unless a call is still under way.
     * NVML is never shut down under a call; call this again once it has returned. After that it does nothing more: NVML
     * counts its users, and one shut down too many would end somebody else's session.
     *
     * @return whether NVML was shut down
     */
    public synchronized boolean close() {
        if (calls.close() && !isShutDown) {
            int code = calls.shutdown();
            // Where NVML says that it is not initialised, there is nothing left to shut down, and there never will be.
            isShutDown = code == NvmlReturn.SUCCESS.code() || code == NvmlReturn.UNINITIALIZED.code();
        }
        return isShutDown;
    }

    /**
     * The driver's version (nvmlSystemGetDriverVersion).
     *
     * @return for example {@code 580.159.04}
     */
    public Answer<String> driverVersion() {
        return version(NvmlFunction.nvmlSystemGetDriverVersion);
    }

    /**
     * The library's version (nvmlSystemGetNVMLVersion).
     *
     * @return for example {@code 13.580.159.04}
     */
    public Answer<String> nvmlVersion() {
        return version(NvmlFunction.nvmlSystemGetNVMLVersion);
    }

    private Answer<String> version(NvmlFunction function) {
        MemorySegment out = Scratch.fresh().take(VERSION_BUFFER);
        int code = calls.call(function, out, VERSION_BUFFER);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(Queries.string(o)));
    }

    /**
     * The highest CUDA version that the driver takes (nvmlSystemGetCudaDriverVersion_v2).
     *
     * @return for example {@code 13.0}
     */
    public Answer<String> cudaDriverVersion() {
        NvmlFunction function = NvmlFunction.nvmlSystemGetCudaDriverVersion_v2;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = calls.call(function, out);
        // nvml.h: NVML_CUDA_DRIVER_VERSION_MAJOR(v) is v/1000, NVML_CUDA_DRIVER_VERSION_MINOR(v) is (v%1000)/10.
        return Queries.answer(
                function,
                code,
                out,
                o -> new Answer.Value<>(o.get(JAVA_INT, 0) / 1000 + "." + o.get(JAVA_INT, 0) % 1000 / 10));
    }

    /**
     * How many GPUs this user may see (nvmlDeviceGetCount_v2).
     *
     * @return the count; indices run from 0, in the order of PCI bus ids
     */
    public Answer<Integer> gpuCount() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetCount_v2;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = calls.call(function, out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(o.get(JAVA_INT, 0)));
    }

    /**
     * A GPU by its index (nvmlDeviceGetHandleByIndex_v2). The first call for a GPU can take seconds: it attaches it.
     *
     * @param index from 0
     * @return the GPU; refused with INVALID_ARGUMENT (no such index), GPU_IS_LOST, IRQ_ISSUE or NO_PERMISSION
     */
    public Answer<Gpu> gpu(int index) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetHandleByIndex_v2;
        MemorySegment out = Scratch.fresh().take(ADDRESS);
        int code = calls.attach(function, index, out);
        return Queries.answer(
                function, code, out, o -> new Answer.Value<>(new Gpu(new Handle(calls, o.get(ADDRESS, 0), index))));
    }

    /**
     * What concerns the machine.
     *
     * @return the topic
     */
    public Node node() {
        return new Node(calls);
    }

    /**
     * Confidential computing, as far as it is one setting for all GPUs.
     *
     * @return the topic
     */
    public ConfidentialNode confidentialCompute() {
        return new ConfidentialNode(calls);
    }

    /**
     * A new set for events of GPUs (nvmlEventSetCreate).
     *
     * @return the set, to be closed
     */
    public Answer<EventSet> events() {
        return EventSet.create(calls);
    }

    /**
     * A new set for events of the driver (nvmlSystemEventSetCreate).
     *
     * @return the set, to be closed
     */
    public Answer<SystemEvents> systemEvents() {
        return SystemEvents.create(calls);
    }

    /**
     * GPUs by their place on the PCI bus: drain, remove, discover.
     *
     * @return the topic
     */
    public PciDevices pciDevices() {
        return new PciDevices(calls);
    }

    /**
     * Settings of all GPUs of the machine together.
     *
     * @return the topic
     */
    public SystemControl control() {
        return new SystemControl(calls);
    }

    /**
     * NVIDIA's vGPU manager on this host.
     *
     * @return the topic
     */
    public VgpuManager vgpuManager() {
        return new VgpuManager(calls);
    }

    /**
     * A GPU by its UUID (nvmlDeviceGetHandleByUUID). NVML may attach other GPUs while it searches.
     *
     * @param uuid {@code GPU-} and 36 characters
     * @return the GPU; refused with NOT_FOUND, or with INVALID_ARGUMENT for a MIG device's
     */
    public Answer<Gpu> gpuByUuid(String uuid) {
        return new GpuSearch(calls).byText(NvmlFunction.nvmlDeviceGetHandleByUUID, uuid);
    }

    /**
     * A GPU by its UUID (nvmlDeviceGetHandleByUUIDV).
     *
     * @param uuid the UUID, without the {@code GPU-}
     * @return the GPU, as {@link #gpuByUuid(String)}
     */
    public Answer<Gpu> gpuByUuid(UUID uuid) {
        return new GpuSearch(calls).byUuid(uuid);
    }

    /**
     * A MIG device by its UUID (nvmlDeviceGetHandleByUUID, nvmlDeviceGetDeviceHandleFromMigDeviceHandle). NVML may attach
     * other GPUs while it searches.
     *
     * @param uuid {@code MIG-} and 36 characters; before driver 470 {@code MIG-GPU-<UUID>/<GPU instance>/<compute instance>}
     * @return the MIG device; refused with NOT_FOUND, or with INVALID_ARGUMENT for a whole GPU's
     */
    public Answer<MigDevice> migDeviceByUuid(String uuid) {
        return new GpuSearch(calls).mig(uuid);
    }

    /**
     * A GPU by the serial number of its board (nvmlDeviceGetHandleBySerial). NVIDIA has deprecated it.
     *
     * @param serial digits
     * @return the GPU; refused with NOT_FOUND, or with INVALID_ARGUMENT where several GPUs share the board
     */
    public Answer<Gpu> gpuBySerial(String serial) {
        return new GpuSearch(calls).byText(NvmlFunction.nvmlDeviceGetHandleBySerial, serial);
    }

    /**
     * A GPU by its place on the PCI bus (nvmlDeviceGetHandleByPciBusId_v2); attaches no other.
     *
     * @param busId {@code domain:bus:device.function}, {@code domain:bus:device} or {@code bus:device.function}, hexadecimal
     * @return the GPU; refused with NOT_FOUND, INVALID_ARGUMENT or NO_PERMISSION
     */
    public Answer<Gpu> gpuByPciBusId(String busId) {
        return new GpuSearch(calls).byText(NvmlFunction.nvmlDeviceGetHandleByPciBusId_v2, busId);
    }

    /**
     * GPUs that the driver was told to leave alone (nvmlGetExcludedDeviceCount, nvmlGetExcludedDeviceInfoByIndex).
     *
     * @return the GPUs, empty when there is none
     */
    public Answer<List<ExcludedGpu>> excludedGpus() {
        return new GpuSearch(calls).excluded();
    }

    /**
     * The driver's branch (nvmlSystemGetDriverBranch).
     *
     * @return for example {@code r582_49}
     */
    public Answer<String> driverBranch() {
        NvmlFunction function = NvmlFunction.nvmlSystemGetDriverBranch;
        Struct info =
                new Struct(nvmlSystemDriverBranchInfo_v1_t, Scratch.fresh().take(nvmlSystemDriverBranchInfo_v1_t));
        info.set("version", Layouts.version(nvmlSystemDriverBranchInfo_v1_t, 1));
        int code = calls.call(function, info.memory(), VERSION_BUFFER);
        return Queries.answer(function, code, info.memory(), memory -> new Answer.Value<>(info.text("branch")));
    }

    /**
     * How a process was started (nvmlSystemGetProcessName). The driver reads it from /proc.
     *
     * @param pid the process
     * @return its first argument, cut to 1023 bytes; refused with NOT_FOUND or NO_PERMISSION
     */
    public Answer<String> processName(int pid) {
        NvmlFunction function = NvmlFunction.nvmlSystemGetProcessName;
        MemorySegment out = Scratch.fresh().take(PROCESS_NAME_BUFFER);
        int code = calls.call(function, pid, out, PROCESS_NAME_BUFFER);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(Queries.string(o)));
    }
}
