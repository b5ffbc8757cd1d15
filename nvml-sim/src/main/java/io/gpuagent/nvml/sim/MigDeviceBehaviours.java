// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a MIG device answers. It is less than a GPU does: what is not here, a MIG device refuses with NOT_SUPPORTED (the
 * code is unverified: only that nothing is answered was seen).
 */
final class MigDeviceBehaviours {
    /** By C name. */
    static final Map<String, Behaviour> ALL = all();

    private MigDeviceBehaviours() {}

    private static Map<String, Behaviour> all() {
        Map<String, Behaviour> behaviours = new HashMap<>();
        behaviours.put("nvmlDeviceIsMigDeviceHandle", call -> call.putInt(1, 1));
        behaviours.put(
                "nvmlDeviceGetGpuInstanceId",
                call -> call.putInt(1, compute(call).owner().id()));
        behaviours.put(
                "nvmlDeviceGetComputeInstanceId",
                call -> call.putInt(1, compute(call).id()));
        behaviours.put("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", call -> call.putLong(1, parent(call)));
        behaviours.put("nvmlDeviceGetMaxMigDeviceCount", call -> call.putInt(1, 0));
        behaviours.put(
                "nvmlDeviceGetIndex",
                call -> call.putInt(1, call.target(MigDevice.class).index()));
        behaviours.put(
                "nvmlDeviceGetUUID", call -> call.putText(1, compute(call).uuid()));
        behaviours.put("nvmlDeviceGetName", call -> call.putText(1, name(call)));
        behaviours.put("nvmlDeviceGetAttributes", MigDeviceBehaviours::attributes);
        behaviours.put("nvmlDeviceGetAttributes_v2", MigDeviceBehaviours::attributes);
        behaviours.put("nvmlDeviceGetMemoryInfo", MigDeviceBehaviours::memory);
        behaviours.put("nvmlDeviceGetMemoryInfo_v2", MigDeviceBehaviours::memory);
        behaviours.put("nvmlDeviceGetBAR1MemoryInfo", MigDeviceBehaviours::bar1);
        behaviours.put("nvmlDeviceGetMemoryErrorCounter", MigDeviceBehaviours::errors);
        for (String symbol :
                List.of("nvmlDeviceGetArchitecture", "nvmlDeviceGetBrand", "nvmlDeviceGetCudaComputeCapability")) {
            behaviours.put(symbol, CannedAnswers::giveOrRefuse);
        }
        ProcessBehaviours.addTo(behaviours);
        return Map.copyOf(behaviours);
    }

    private static MigComputeInstance compute(Call call) {
        return call.target(MigDevice.class).compute();
    }

    private static long parent(Call call) {
        return call.machine().handle(call.gpu());
    }

    private static String name(Call call) {
        CannedAnswer card = call.machine().canned("nvmlDeviceGetName");
        String name = card.content() instanceof CannedAnswer.Values values
                ? (String) values.values().getFirst()
                : "";
        return name + " MIG " + compute(call).profile().name();
    }

    private static void attributes(Call call) {
        MigProfile whole = compute(call).owner().profile();
        call.struct(1)
                .set("multiprocessorCount", compute(call).profile().multiprocessors())
                .set("sharedCopyEngineCount", whole.engines().copy())
                .set("sharedDecoderCount", whole.engines().decoder())
                .set("sharedEncoderCount", whole.engines().encoder())
                .set("sharedJpegCount", whole.engines().jpeg())
                .set("sharedOfaCount", whole.engines().ofa())
                .set("gpuInstanceSliceCount", whole.slices())
                .set("computeInstanceSliceCount", compute(call).profile().slices())
                .set("memorySizeMB", whole.mebibytes());
    }

    private static void memory(Call call) {
        call.require(Privilege.MIG_MONITOR);
        MigGpuInstance owner = compute(call).owner();
        long total = owner.profile().bytes();
        long used;
        synchronized (call.gpu()) {
            used = call.gpu().mig().instances().usedBytes(owner);
        }
        call.struct(1)
                .set("total", total)
                .setIfPresent("reserved", 0)
                .set("free", total - used)
                .set("used", used);
    }

    private static void bar1(Call call) {
        long total = compute(call).owner().placement().size()
                * call.gpu().mig().instances().card().barSlice();
        call.struct(1).set("bar1Total", total).set("bar1Free", total).set("bar1Used", 0);
    }

    /** An instance has one counter of its own: uncorrected (1) volatile (0) errors of SRAM (7). */
    private static void errors(Call call) {
        if (call.integer(1) != 1 || call.integer(2) != 0 || call.integer(3) != 7) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.putLong(4, 0);
    }
}
