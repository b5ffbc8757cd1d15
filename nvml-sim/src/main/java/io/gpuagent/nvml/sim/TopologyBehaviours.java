// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;

/**
 * Where the GPUs of a node lie, and how they reach each other: four to a NUMA node, eight to a board. Only what one GPU
 * answers about itself was captured; the rest was never seen on hardware.
 */
final class TopologyBehaviours {
    /** NVML_TOPOLOGY_NODE and NVML_TOPOLOGY_SYSTEM. */
    private static final int NODE = 40;

    private static final int SYSTEM = 50;
    private static final int GPUS_OF_NUMA_NODE = 4;
    private static final int GPUS_OF_BOARD = 8;
    /** nvmlGpuP2PCapsIndex_t: what needs NVLink. */
    private static final int NVLINK = 2;

    private static final int ATOMICS = 3;
    private static final int LAST_WAY = 5;
    /** nvmlGpuP2PStatus_t. */
    private static final int OK = 0;

    private static final int NOT_SUPPORTED = 5;

    private TopologyBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetP2PStatus", TopologyBehaviours::peerStatus);
        behaviours.put("nvmlDeviceGetTopologyCommonAncestor", TopologyBehaviours::commonAncestor);
        behaviours.put("nvmlDeviceGetTopologyNearestGpus", TopologyBehaviours::nearest);
        behaviours.put("nvmlDeviceOnSameBoard", TopologyBehaviours::onSameBoard);
        behaviours.put(
                "nvmlDeviceGetModuleId",
                ofSeveral(call -> call.putInt(1, 1 + call.gpu().index() % GPUS_OF_BOARD)));
        behaviours.put(
                "nvmlDeviceGetBoardId",
                ofSeveral(call -> call.putInt(1, boardId(call.gpu().identity()))));
        behaviours.put("nvmlDeviceGetPdi", TopologyBehaviours::pdi);
    }

    /** A GPU that is alone is the one that was captured. */
    private static Behaviour ofSeveral(Behaviour behaviour) {
        return call -> {
            if (call.machine().gpus().size() > 1) {
                behaviour.answer(call);
            } else {
                CannedAnswers.giveOrRefuse(call);
            }
        };
    }

    /** As captured, where the card lay at 0:00:06.0 and said 6. */
    private static int boardId(GpuIdentity identity) {
        return identity.domain() << 16 | identity.bus() << 8 | identity.device();
    }

    private static void pdi(Call call) {
        CannedAnswers.giveOrRefuse(call);
        StructView pdi = call.struct(1);
        pdi.set("value", pdi.get("value") + call.gpu().index());
    }

    private static SimulatedGpu other(Call call) {
        return call.machine().handles().get(call.handle(1), SimulatedGpu.class);
    }

    private static void peerStatus(Call call) {
        SimulatedGpu other = other(call);
        if (other == call.gpu()) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        int way = call.integer(2);
        if (way < 0 || way > LAST_WAY) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        boolean needsLink = way == NVLINK || way == ATOMICS;
        call.putInt(3, needsLink && NvLinkBehaviours.links(call) == null ? NOT_SUPPORTED : OK);
    }

    private static void commonAncestor(Call call) {
        SimulatedGpu other = other(call);
        if (other == call.gpu()) {
            CannedAnswers.giveOrRefuse(call);
        } else {
            call.putInt(2, level(call.gpu(), other));
        }
    }

    private static int level(SimulatedGpu one, SimulatedGpu other) {
        return one.index() / GPUS_OF_NUMA_NODE == other.index() / GPUS_OF_NUMA_NODE ? NODE : SYSTEM;
    }

    /** The GPUs at exactly that level. By nvml.h a count of 0 asks how many there are, and is no error. */
    private static void nearest(Call call) {
        int level = call.integer(1);
        List<SimulatedGpu> found = call.machine().numbered().stream()
                .filter(gpu -> gpu != call.gpu() && level(call.gpu(), gpu) == level)
                .toList();
        long room = Integer.toUnsignedLong(call.readInt(2));
        if (room == 0) {
            call.putInt(2, found.size());
            return;
        }
        int given = (int) Math.min(room, found.size());
        call.putInt(2, given);
        for (int i = 0; i < given; i++) {
            call.putHandle(3, i, call.machine().handle(found.get(i)));
        }
    }

    private static void onSameBoard(Call call) {
        if (other(call) == call.gpu()) {
            CannedAnswers.giveOrRefuse(call);
        } else {
            call.putInt(2, 0);
        }
    }
}
