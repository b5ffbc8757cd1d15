// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
            behaviours.put(
                    symbol, call -> call.putInt(0, call.machine().numbered().size()));
        }
        for (String symbol : new String[] {"nvmlDeviceGetHandleByIndex", "nvmlDeviceGetHandleByIndex_v2"}) {
            behaviours.put(symbol, NodeBehaviours::handleByIndex);
        }
        behaviours.put("nvmlDeviceGetHandleByUUID", NodeBehaviours::handleByUuid);
        behaviours.put("nvmlDeviceGetHandleByUUIDV", NodeBehaviours::handleByUuidV);
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
        @Nullable SimulatedGpu gpu = call.machine().numbered(call.integer(0));
        if (gpu == null) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.putLong(1, call.machine().handle(gpu));
    }

    private static void handleByUuid(Call call) {
        call.requirePointer(0);
        call.requirePointer(1);
        byUuid(call, call.text(0));
    }

    /** By a struct that holds the UUID as text or as its sixteen bytes; those say nothing of what it is the UUID of. */
    private static void handleByUuidV(Call call) {
        call.requirePointer(1);
        StructView asked = call.struct(0);
        switch (asked.getInt("type")) {
            case 1 -> byUuid(call, asked.getText("value"));
            case 2 -> {
                ByteBuffer bytes = asked.getBytes("value");
                String uuid = new UUID(bytes.getLong(), bytes.getLong()).toString();
                boolean isGpu = call.machine().numbered().stream()
                        .anyMatch(gpu -> gpu.uuid().equals("GPU-" + uuid));
                byUuid(call, (isGpu ? "GPU-" : "MIG-") + uuid);
            }
            default -> throw new Refusal(Code.INVALID_ARGUMENT);
        }
    }

    private static void byUuid(Call call, String uuid) {
        if (!uuid.startsWith("MIG-")) {
            handle(call, gpu -> gpu.uuid().equals(uuid));
            return;
        }
        MigDevice found = call.machine().numbered().stream()
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
        SimulatedGpu found = call.machine().numbered().stream()
                .filter(isWanted)
                .findFirst()
                .orElseThrow(() -> new Refusal(Code.NOT_FOUND));
        call.putLong(1, call.machine().handle(found));
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
