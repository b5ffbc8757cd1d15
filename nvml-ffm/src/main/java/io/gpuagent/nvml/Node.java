// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** What concerns all GPUs of the machine. */
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
