// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Takes GPUs out of service and back, by their place on the PCI bus: drain, remove, discover. All of it takes root.
 * Afterwards indices and handles of this session are stale.
 */
public final class PciDevices {
    private final Calls calls;

    PciDevices(Calls calls) {
        this.calls = calls;
    }

    /**
     * Starts or ends draining (nvmlDeviceModifyDrainState): a GPU that drains takes no new clients, and new NVML
     * processes do not see it.
     *
     * @param gpu which
     * @param draining whether it is to drain
     * @return done; IN_USE where persistence mode is on
     */
    public Answer<Done> drain(Identity.PciInfo gpu, boolean draining) {
        NvmlFunction function = NvmlFunction.nvmlDeviceModifyDrainState;
        return Queries.done(function, calls.call(function, struct(gpu).memory(), Control.flag(draining)));
    }

    /**
     * Whether a GPU drains (nvmlDeviceQueryDrainState).
     *
     * @param gpu which
     * @return true where it takes no new clients
     */
    public Answer<Boolean> isDraining(Identity.PciInfo gpu) {
        NvmlFunction function = NvmlFunction.nvmlDeviceQueryDrainState;
        Scratch scratch = Scratch.fresh();
        Struct pci = struct(scratch, gpu);
        MemorySegment state = scratch.take(JAVA_INT);
        int code = calls.call(function, pci.memory(), state);
        return Queries.answer(function, code, state, o -> new Answer.Value<>(o.get(JAVA_INT, 0) != 0));
    }

    /**
     * Takes a GPU away from the driver (nvmlDeviceRemoveGpu_v2).
     *
     * @param gpu which
     * @param fromSystem whether the operating system is to lose it, too
     * @param shutLinkDown whether the PCI Express link above it is to be shut down
     * @return done; IN_USE where anybody holds it, and then it is draining again
     */
    public Answer<Done> remove(Identity.PciInfo gpu, boolean fromSystem, boolean shutLinkDown) {
        NvmlFunction function = NvmlFunction.nvmlDeviceRemoveGpu_v2;
        // nvml.h: NVML_DETACH_GPU_KEEP and NVML_PCIE_LINK_KEEP are 0, NVML_DETACH_GPU_REMOVE and
        // NVML_PCIE_LINK_SHUT_DOWN are 1.
        return Queries.done(
                function, calls.call(function, struct(gpu).memory(), fromSystem ? 1 : 0, shutLinkDown ? 1 : 0));
    }

    /**
     * Looks for a GPU that was removed (nvmlDeviceDiscoverGpus). It takes seconds per GPU: memory is scrubbed.
     *
     * @param gpu where to look
     * @return done; OPERATING_SYSTEM where the system forbids it
     */
    public Answer<Done> discover(Identity.PciInfo gpu) {
        return discover(struct(gpu));
    }

    /**
     * Looks for all GPUs that were removed (nvmlDeviceDiscoverGpus). It takes seconds per GPU: memory is scrubbed.
     *
     * @return done; OPERATING_SYSTEM where the system forbids it
     */
    public Answer<Done> discover() {
        // nvml.h: all zeros stand for the whole tree.
        return discover(new Struct(nvmlPciInfo_t, Scratch.fresh().take(nvmlPciInfo_t)));
    }

    private Answer<Done> discover(Struct where) {
        NvmlFunction function = NvmlFunction.nvmlDeviceDiscoverGpus;
        return Queries.done(function, calls.call(function, where.memory()));
    }

    private static Struct struct(Identity.PciInfo gpu) {
        return struct(Scratch.fresh(), gpu);
    }

    private static Struct struct(Scratch scratch, Identity.PciInfo gpu) {
        Struct struct = new Struct(nvmlPciInfo_t, scratch.take(nvmlPciInfo_t));
        struct.set("domain", gpu.domain());
        struct.set("bus", gpu.bus());
        struct.set("device", gpu.device());
        struct.part("busIdLegacy").setString(0, name(gpu, 4));
        struct.part("busId").setString(0, name(gpu, 8));
        return struct;
    }

    /** Names a GPU as nvml.h does: domain, of which older drivers write less, bus, device, function. */
    private static String name(Identity.PciInfo gpu, int domainDigits) {
        String domain = String.format(Locale.ROOT, "%08X", gpu.domain());
        return String.format(
                Locale.ROOT, "%s:%02X:%02X.0", domain.substring(8 - domainDigits), gpu.bus(), gpu.device());
    }
}
