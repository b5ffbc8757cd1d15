// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Calls;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** How a GPU lies to others. The other GPU must be of the same session. */
public final class Topology {
    private final Handle device;

    Topology(Handle device) {
        this.device = device;
    }

    /**
     * What two GPUs have in common on their way to each other (nvmlDeviceGetTopologyCommonAncestor).
     *
     * @param other the other GPU
     * @return the level
     */
    public Answer<Coded<Level>> commonAncestor(Gpu other) {
        return about(NvmlFunction.nvmlDeviceGetTopologyCommonAncestor, other)
                .map(level -> Coded.of(level, Level.class));
    }

    /**
     * The GPUs at a level (nvmlDeviceGetTopologyNearestGpus).
     *
     * @param level how near
     * @return their indices
     */
    public Answer<List<Integer>> nearest(Level level) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetTopologyNearestGpus;
        return gpus(
                device.calls(),
                function,
                (count, array) -> device.calls().call(function, device, level.code, count, array));
    }

    /**
     * Whether two GPUs can reach each other in some way (nvmlDeviceGetP2PStatus).
     *
     * @param other the other GPU
     * @param way how
     * @return whether, or why not
     */
    public Answer<Coded<PeerStatus>> peerStatus(Gpu other, PeerWay way) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetP2PStatus;
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, sameSession(other), way.c, out);
        return Queries.answer(
                function, code, out, o -> new Answer.Value<>(Coded.of(o.get(JAVA_INT, 0), PeerStatus.class)));
    }

    /**
     * Whether two GPUs are on one board (nvmlDeviceOnSameBoard).
     *
     * @param other the other GPU
     * @return true where they are
     */
    public Answer<Boolean> isOnSameBoard(Gpu other) {
        return about(NvmlFunction.nvmlDeviceOnSameBoard, other).map(state -> state != 0);
    }

    /** {@code f(device, device, int *)}. */
    private Answer<Integer> about(NvmlFunction function, Gpu other) {
        MemorySegment out = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, sameSession(other), out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(o.get(JAVA_INT, 0)));
    }

    private Handle sameSession(Gpu other) {
        return other.handle(device.calls());
    }

    /** Indices of the GPUs whose handles a function lists: asked with a count of zero first, for that tells how many. */
    static Answer<List<Integer>> gpus(
            Calls calls, NvmlFunction function, BiFunction<MemorySegment, MemorySegment, Integer> call) {
        MemorySegment count = Scratch.fresh().take(JAVA_INT);
        int code = call.apply(count, MemorySegment.NULL);
        if (code != NvmlReturn.SUCCESS.code() || count.get(JAVA_INT, 0) == 0) {
            return Queries.answer(function, code, count, none -> new Answer.Value<>(List.of()));
        }
        Answer<List<MemorySegment>> handles = CountedArray.of(function, ADDRESS.byteSize())
                .startingWith(Integer.toUnsignedLong(count.get(JAVA_INT, 0)))
                .read(call::apply, handle -> handle.get(ADDRESS, 0));
        return handles instanceof Answer.Value<List<MemorySegment>>(List<MemorySegment> addresses)
                ? indices(calls, addresses)
                : handles.map(nothing -> List.of());
    }

    private static Answer<List<Integer>> indices(Calls calls, List<MemorySegment> addresses) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetIndex;
        List<Integer> indices = new ArrayList<>(addresses.size());
        for (MemorySegment address : addresses) {
            MemorySegment index = Scratch.fresh().take(JAVA_INT);
            int code = calls.call(function, address, index);
            if (code != NvmlReturn.SUCCESS.code()) {
                return Queries.refused(function, code);
            }
            indices.add(index.get(JAVA_INT, 0));
        }
        return new Answer.Value<>(List.copyOf(indices));
    }

    /** {@code nvmlGpuTopologyLevel_t}, from near to far. */
    public enum Level implements CEnum {
        /** On one board, behind its own switch. */
        INTERNAL(0),
        /** Behind one PCI Express switch. */
        SINGLE(10),
        /** Behind several switches, without crossing a host bridge. */
        MULTIPLE(20),
        /** Behind the same host bridge. */
        HOSTBRIDGE(30),
        /** On the same NUMA node. */
        NODE(40),
        /** In the same machine. */
        SYSTEM(50);

        private final int code;

        Level(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }

    /** {@code nvmlGpuP2PCapsIndex_t}. */
    public enum PeerWay {
        /** Reading the other's memory. */
        READ(0),
        /** Writing the other's memory. */
        WRITE(1),
        /** NVLink. */
        NVLINK(2),
        /** Atomics. */
        ATOMICS(3),
        /** PCI Express. */
        PCI(4);

        private final int c;

        PeerWay(int c) {
            this.c = c;
        }
    }

    /** {@code nvmlGpuP2PStatus_t}. */
    public enum PeerStatus implements CEnum {
        /** They can. */
        OK(0),
        /** The chipset cannot. */
        CHIPSET_NOT_SUPPORTED(1),
        /** One of the GPUs cannot. */
        GPU_NOT_SUPPORTED(2),
        /** What lies between them cannot. */
        IOH_TOPOLOGY_NOT_SUPPORTED(3),
        /** A setting of the driver forbids it. */
        DISABLED_BY_REGKEY(4),
        /** They cannot. */
        NOT_SUPPORTED(5),
        /** The driver does not know. */
        UNKNOWN(6);

        private final int code;

        PeerStatus(int code) {
            this.code = code;
        }

        @Override
        public int code() {
            return code;
        }
    }
}
