// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** What no GPU owns: versions, the number of GPUs and the ways to one of them. */
final class NodeBehaviours {
    private NodeBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put(
                "nvmlSystemGetDriverVersion",
                call -> call.putText(0, versions(call).driver()));
        behaviours.put(
                "nvmlSystemGetNVMLVersion",
                call -> call.putText(0, versions(call).nvml()));
        for (String symbol : new String[] {"nvmlSystemGetCudaDriverVersion", "nvmlSystemGetCudaDriverVersion_v2"}) {
            behaviours.put(symbol, call -> call.putInt(0, versions(call).cuda()));
        }
        for (String symbol : new String[] {"nvmlDeviceGetCount", "nvmlDeviceGetCount_v2"}) {
            behaviours.put(symbol, call -> call.putInt(0, call.machine().gpus().size()));
        }
        for (String symbol : new String[] {"nvmlDeviceGetHandleByIndex", "nvmlDeviceGetHandleByIndex_v2"}) {
            behaviours.put(symbol, NodeBehaviours::handleByIndex);
        }
        behaviours.put("nvmlDeviceGetHandleByUUID", NodeBehaviours::handleByUuid);
        behaviours.put(
                "nvmlDeviceGetHandleBySerial",
                call -> handle(call, gpu -> gpu.identity().serial().equals(call.text(0))));
        for (String symbol : new String[] {"nvmlDeviceGetHandleByPciBusId", "nvmlDeviceGetHandleByPciBusId_v2"}) {
            behaviours.put(symbol, call -> handle(call, gpu -> isAt(gpu.identity(), call.text(0))));
        }
        behaviours.put("nvmlUnitGetCount", call -> call.putInt(0, 0));
        behaviours.put("nvmlGetExcludedDeviceCount", call -> call.putInt(0, 0));
    }

    private static Description.DriverVersions versions(Call call) {
        return call.library().description().driver();
    }

    private static void handleByIndex(Call call) {
        int index = call.integer(0);
        if (index < 0 || index >= call.machine().gpus().size()) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.putLong(1, call.machine().handle(index));
    }

    private static void handleByUuid(Call call) {
        call.requirePointer(0);
        call.requirePointer(1);
        String uuid = call.text(0);
        if (!uuid.startsWith("MIG-")) {
            handle(call, gpu -> gpu.uuid().equals(uuid));
            return;
        }
        MigDevice found = call.machine().gpus().stream()
                .flatMap(gpu -> gpu.mig().instances().devices().stream())
                .filter(device -> device.compute().uuid().equals(uuid)
                        || device.compute().legacyUuid().equals(uuid))
                .findFirst()
                .orElseThrow(() -> new Refusal(Code.NOT_FOUND));
        call.putLong(1, found.handle());
    }

    private static void handle(Call call, Predicate<SimulatedGpu> isWanted) {
        if (call.isNull(0) || call.isNull(1)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        SimulatedGpu found = call.machine().gpus().stream()
                .filter(isWanted)
                .findFirst()
                .orElseThrow(() -> new Refusal(Code.NOT_FOUND));
        call.putLong(1, call.machine().handle(found.index()));
    }

    /** Both spellings of the domain are accepted, in any case, and the function may be left out. */
    private static boolean isAt(GpuIdentity identity, String busId) {
        String wanted = busId.toUpperCase(Locale.ROOT);
        return identity.busId().equals(wanted)
                || identity.legacyBusId().equals(wanted)
                || identity.busId().equals(wanted + ".0")
                || identity.legacyBusId().equals(wanted + ".0");
    }
}
