// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlPciInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** What concerns the machine, or a GPU that this process may not see. */
public final class Node {
    private final Calls calls;

    Node(Calls calls) {
        this.calls = calls;
    }

    /**
     * The GPUs near a CPU (nvmlSystemGetTopologyGpuSet).
     *
     * @param cpu its number
     * @return their indices
     */
    public Answer<List<Integer>> gpusOf(int cpu) {
        NvmlFunction function = NvmlFunction.nvmlSystemGetTopologyGpuSet;
        return Topology.gpus(calls, function, (count, array) -> calls.call(function, cpu, count, array));
    }

    /**
     * Whether a GPU takes no new work (nvmlDeviceQueryDrainState).
     *
     * @param domain its PCI domain
     * @param bus its bus
     * @param device its device
     * @return true while it is drained
     */
    public Answer<Boolean> isDraining(int domain, int bus, int device) {
        NvmlFunction function = NvmlFunction.nvmlDeviceQueryDrainState;
        Scratch scratch = Scratch.fresh();
        Struct pci = new Struct(nvmlPciInfo_t, scratch.take(nvmlPciInfo_t));
        pci.set("domain", domain);
        pci.set("bus", bus);
        pci.set("device", device);
        write(pci.part("busIdLegacy"), String.format(Locale.ROOT, "%04X:%02X:%02X.0", domain, bus, device));
        write(pci.part("busId"), String.format(Locale.ROOT, "%08X:%02X:%02X.0", domain, bus, device));
        MemorySegment state = scratch.take(JAVA_INT);
        int code = calls.call(function, pci.memory(), state);
        return Queries.answer(function, code, state, o -> new Answer.Value<>(o.get(JAVA_INT, 0) != 0));
    }

    private static void write(MemorySegment buffer, String busId) {
        byte[] bytes = busId.getBytes(StandardCharsets.US_ASCII);
        // One byte stays for the NUL.
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, buffer, 0, Math.min(bytes.length, buffer.byteSize() - 1));
    }

    /**
     * The NVLink bandwidth mode of all GPUs (nvmlSystemGetNvlinkBwMode), on Hopper and newer.
     *
     * @return the mode's number; NO_PERMISSION unless root
     */
    public Answer<Integer> nvLinkBandwidthMode() {
        NvmlFunction function = NvmlFunction.nvmlSystemGetNvlinkBwMode;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        return Queries.answer(function, calls.call(function, out), out, o -> new Answer.Value<>(o.get(JAVA_INT, 0)));
    }
}
