// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;

/**
 * A GPU, by topic. It lives as long as its session; see {@link Nvml#close()}.
 */
public final class Gpu {
    private final Handle device;
    private final Identity identity;
    private final Utilization utilization;
    private final Memory memory;
    private final Thermal thermal;
    private final Power power;
    private final Clocks clocks;
    private final Ecc ecc;
    private final Pcie pcie;
    private final Processes processes;
    private final Fields fields;
    private final Modes modes;
    private final Sram sram;
    private final Repairs repairs;
    private final NvLinks nvLinks;
    private final Fabric fabric;
    private final Topology topology;
    private final ConfidentialCompute confidentialCompute;
    private final Gpm gpm;

    private final Board board;
    private final Firmware firmware;
    private final Affinity affinity;
    private final Licensing licensing;
    private final Samples samples;
    private final Encoder encoder;
    private final FrameCapture frameCapture;
    private final Accounting accounting;
    private final Fans fans;
    private final WorkloadProfiles workloadProfiles;
    private final ClockOffsets clockOffsets;
    private final PerformanceStates performanceStates;

    Gpu(Handle device) {
        this.device = device;
        identity = new Identity(device);
        utilization = new Utilization(device);
        memory = new Memory(device);
        thermal = new Thermal(device);
        power = new Power(device);
        clocks = new Clocks(device);
        ecc = new Ecc(device);
        pcie = new Pcie(device);
        processes = new Processes(device);
        fields = new Fields(device);
        modes = new Modes(device);
        sram = new Sram(device);
        repairs = new Repairs(device);
        nvLinks = new NvLinks(device);
        fabric = new Fabric(device);
        topology = new Topology(device);
        confidentialCompute = new ConfidentialCompute(device);
        gpm = new Gpm(device);

        board = new Board(device);
        firmware = new Firmware(device);
        affinity = new Affinity(device);
        licensing = new Licensing(device);
        samples = new Samples(device);
        encoder = new Encoder(device);
        frameCapture = new FrameCapture(device);
        accounting = new Accounting(device);
        fans = new Fans(device);
        workloadProfiles = new WorkloadProfiles(device);
        clockOffsets = new ClockOffsets(device);
        performanceStates = new PerformanceStates(device);
    }

    /**
     * NVML's index.
     *
     * @return from 0, in the order of PCI bus ids
     */
    public int index() {
        return device.gpu();
    }

    /**
     * Name, UUID, PCI address and the like.
     *
     * @return the topic
     */
    public Identity identity() {
        return identity;
    }

    /**
     * How busy its engines are.
     *
     * @return the topic
     */
    public Utilization utilization() {
        return utilization;
    }

    /**
     * Its memory.
     *
     * @return the topic
     */
    public Memory memory() {
        return memory;
    }

    /**
     * Its temperatures.
     *
     * @return the topic
     */
    public Thermal thermal() {
        return thermal;
    }

    /**
     * Power draw, limits and energy.
     *
     * @return the topic
     */
    public Power power() {
        return power;
    }

    /**
     * Clocks and why they are low.
     *
     * @return the topic
     */
    public Clocks clocks() {
        return clocks;
    }

    /**
     * Memory errors and remapped rows.
     *
     * @return the topic
     */
    public Ecc ecc() {
        return ecc;
    }

    /**
     * The PCI Express link.
     *
     * @return the topic
     */
    public Pcie pcie() {
        return pcie;
    }

    /**
     * Who runs on it.
     *
     * @return the topic
     */
    public Processes processes() {
        return processes;
    }

    /**
     * Field values, by number.
     *
     * @return the topic
     */
    public Fields fields() {
        return fields;
    }

    /**
     * What it is set to: MIG, persistence, compute mode and the like.
     *
     * @return the topic
     */
    public Modes modes() {
        return modes;
    }

    /**
     * Errors of the memories on the chip.
     *
     * @return the topic
     */
    public Sram sram() {
        return sram;
    }

    /**
     * Spare rows, retired pages and repairs that wait.
     *
     * @return the topic
     */
    public Repairs repairs() {
        return repairs;
    }

    /**
     * Its NVLinks.
     *
     * @return the topic
     */
    public NvLinks nvLinks() {
        return nvLinks;
    }

    /**
     * The NVLink fabric and C2C.
     *
     * @return the topic
     */
    public Fabric fabric() {
        return fabric;
    }

    /**
     * How it lies to other GPUs.
     *
     * @return the topic
     */
    public Topology topology() {
        return topology;
    }

    /**
     * Confidential computing and memory encryption.
     *
     * @return the topic
     */
    public ConfidentialCompute confidentialCompute() {
        return confidentialCompute;
    }

    /**
     * Performance monitoring.
     *
     * @return the topic
     */
    public Gpm gpm() {
        return gpm;
    }

    /**
     * Which events it can report (nvmlDeviceGetSupportedEventTypes).
     *
     * @return bits, see {@link EventType#setOf}
     */
    public Answer<Long> supportedEvents() {
        return Queries.u64(device, NvmlFunction.nvmlDeviceGetSupportedEventTypes);
    }

    /** Its handle, for a call of that session: a handle of another one may be anything in this. */
    Handle handle(Calls session) {
        if (device.calls() != session) {
            throw new IllegalArgumentException("GPU " + index() + " is of another session");
        }
        return device;
    }

    /**
     * The board, and where that sits.
     *
     * @return the topic
     */
    public Board board() {
        return board;
    }

    /**
     * InfoROM and GSP firmware.
     *
     * @return the topic
     */
    public Firmware firmware() {
        return firmware;
    }

    /**
     * Which CPUs and memory are near.
     *
     * @return the topic
     */
    public Affinity affinity() {
        return affinity;
    }

    /**
     * Licences of the vGPU software.
     *
     * @return the topic
     */
    public Licensing licensing() {
        return licensing;
    }

    /**
     * The driver's own recent samples.
     *
     * @return the topic
     */
    public Samples samples() {
        return samples;
    }

    /**
     * The video encoder and its sessions.
     *
     * @return the topic
     */
    public Encoder encoder() {
        return encoder;
    }

    /**
     * Frame buffer capture.
     *
     * @return the topic
     */
    public FrameCapture frameCapture() {
        return frameCapture;
    }

    /**
     * The driver's record of processes.
     *
     * @return the topic
     */
    public Accounting accounting() {
        return accounting;
    }

    /**
     * Fans.
     *
     * @return the topic
     */
    public Fans fans() {
        return fans;
    }

    /**
     * Power profiles for kinds of work.
     *
     * @return the topic
     */
    public WorkloadProfiles workloadProfiles() {
        return workloadProfiles;
    }

    /**
     * By how much clocks were moved.
     *
     * @return the topic
     */
    public ClockOffsets clockOffsets() {
        return clockOffsets;
    }

    /**
     * Performance states and their clocks.
     *
     * @return the topic
     */
    public PerformanceStates performanceStates() {
        return performanceStates;
    }
}
