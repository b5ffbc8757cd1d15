// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** Which CPUs and memory are near a GPU. */
public final class Affinity {
    /** In words of 64: the most CPUs (NR_CPUS 8192) and NUMA nodes (1024) that a Linux kernel is built for. */
    private static final int CPU_WORDS = 128;

    private static final int NODE_WORDS = 16;

    private final Handle device;

    Affinity(Handle device) {
        this.device = device;
    }

    /**
     * The CPUs near the GPU (nvmlDeviceGetCpuAffinityWithinScope; for a NUMA node in older drivers
     * nvmlDeviceGetCpuAffinity).
     *
     * @param scope how near
     * @return their numbers
     */
    public Answer<BitSet> cpus(Scope scope) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetCpuAffinityWithinScope;
        MemorySegment set = Scratch.fresh().take(CPU_WORDS * JAVA_LONG.byteSize());
        int code = device.calls().call(function, device, CPU_WORDS, set, scope.code());
        return Versions.older(code) && scope == Scope.NUMA_NODE ? cpusOfNode() : bits(function, code, set);
    }

    private Answer<BitSet> cpusOfNode() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetCpuAffinity;
        MemorySegment set = Scratch.fresh().take(CPU_WORDS * JAVA_LONG.byteSize());
        int code = device.calls().call(function, device, CPU_WORDS, set);
        return bits(function, code, set);
    }

    /**
     * The NUMA nodes whose memory is near the GPU (nvmlDeviceGetMemoryAffinity).
     *
     * @param scope how near
     * @return their numbers
     */
    public Answer<BitSet> memoryNodes(Scope scope) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetMemoryAffinity;
        MemorySegment set = Scratch.fresh().take(NODE_WORDS * JAVA_LONG.byteSize());
        int code = device.calls().call(function, device, NODE_WORDS, set, scope.code());
        return bits(function, code, set);
    }

    /**
     * The NUMA node that the GPU's own memory is (nvmlDeviceGetNumaNodeId).
     *
     * @return its number; NOT_SUPPORTED where the GPU's memory is no NUMA node, which is the usual case
     */
    public Answer<Integer> ownNode() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetNumaNodeId).map(Long::intValue);
    }

    private static Answer<BitSet> bits(NvmlFunction function, int code, MemorySegment set) {
        return Queries.answer(function, code, set, s -> new Answer.Value<>(BitSet.valueOf(s.toArray(JAVA_LONG))));
    }

    /** {@code NVML_AFFINITY_SCOPE_*}. */
    public enum Scope implements CEnum {
        /** The same NUMA node. */
        NUMA_NODE(0),
        /** The same processor socket. */
        SOCKET(1);

        private final int code;

        Scope(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
