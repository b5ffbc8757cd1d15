// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;

/** Who a GPU is, its modes, and its counters of errors and repairs. */
final class StateBehaviours {
    /** NVML_MEMORY_LOCATION_DRAM. */
    private static final int DRAM = 2;

    private StateBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetUUID", call -> call.putText(1, call.gpu().uuid()));
        behaviours.put(
                "nvmlDeviceGetSerial",
                call -> call.putText(1, call.gpu().identity().serial()));
        behaviours.put(
                "nvmlDeviceGetIndex", call -> call.putInt(1, call.machine().index(call.gpu())));
        behaviours.put(
                "nvmlDeviceGetMinorNumber",
                call -> call.putInt(1, call.gpu().identity().minor()));
        for (String symbol : new String[] {
            "nvmlDeviceGetPciInfo", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfoExt"
        }) {
            behaviours.put(symbol, StateBehaviours::pciInfo);
        }
        behaviours.put(
                "nvmlDeviceGetPersistenceMode",
                call -> call.putInt(1, call.gpu().state().persistence()));
        behaviours.put(
                "nvmlDeviceGetComputeMode",
                call -> call.putInt(1, call.gpu().state().computeMode()));
        behaviours.put("nvmlDeviceGetTotalEccErrors", StateBehaviours::totalEccErrors);
        behaviours.put("nvmlDeviceGetDetailedEccErrors", StateBehaviours::detailedEccErrors);
        behaviours.put("nvmlDeviceGetMemoryErrorCounter", StateBehaviours::memoryErrors);
        behaviours.put("nvmlDeviceGetRemappedRows", StateBehaviours::remappedRows);
    }

    private static void pciInfo(Call call) {
        GpuIdentity identity = call.gpu().identity();
        // The ids of the card are in the description; where it sits differs from GPU to GPU.
        CannedAnswers.giveOrRefuse(call);
        StructView info = call.struct(1)
                .set("domain", identity.domain())
                .set("bus", identity.bus())
                .set("device", identity.device());
        // The struct of the first two functions ends before it.
        String name = call.function().name();
        if (name.endsWith("_v3") || name.endsWith("Ext")) {
            info.set("busId", identity.busId());
        }
        if (info.has("busIdLegacy")) {
            info.set("busIdLegacy", identity.legacyBusId());
        }
    }

    private static void totalEccErrors(Call call) {
        int type = call.integer(1);
        int counter = call.integer(2);
        if (type < 0 || type > 1 || counter < 0 || counter > 1) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        if (SettingBehaviours.eccMode(call.gpu()).orElse(1) == 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.putLong(3, call.gpu().state().eccErrors(type, counter));
    }

    /** All simulated errors are of the memory that NVML calls device memory, DRAM. */
    private static void detailedEccErrors(Call call) {
        CannedAnswers.giveOrRefuse(call);
        call.struct(3).set("deviceMemory", call.gpu().state().eccErrors(call.integer(1), call.integer(2)));
    }

    private static void memoryErrors(Call call) {
        CannedAnswers.giveOrRefuse(call);
        if (call.integer(3) == DRAM) {
            call.putLong(4, call.gpu().state().eccErrors(call.integer(1), call.integer(2)));
        }
    }

    private static void remappedRows(Call call) {
        // By nvml.h not supported while instances exist; the capture of an H100 agrees.
        if (call.gpu().mig().instances().exist()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        int[] rows = call.gpu().state().remappedRows();
        for (int i = 0; i < rows.length; i++) {
            call.putInt(1 + i, rows[i]);
        }
    }
}
