// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The NVLinks of GPUs that are linked to each other through switches, as on an HGX board. Never seen on hardware: the
 * H200 that was captured was alone in its machine and refused all of this, as a simulated GPU does that is alone.
 */
final class NvLinkBehaviours {
    /** NVML_NVLINK_DEVICE_TYPE_SWITCH. */
    private static final int SWITCH = 2;
    /** NVML_GPU_FABRIC_STATE_COMPLETED. */
    private static final int FABRIC_COMPLETED = 3;
    /** Switches of an HGX board, among which the links are dealt out. */
    private static final int SWITCHES = 4;

    private static final int FIRST_SWITCH_BUS = 0xC4;
    /** What a link carries each way for each percent of work, in KiB per second: 5 GiB at full work. */
    private static final double KIB_PER_PERCENT_SECOND = 52_429;
    /** Packet headers and the like, for each byte of data. */
    private static final double OVERHEAD = 1.1;
    /** UINT_MAX: all links together. */
    private static final int ALL_LINKS = -1;

    private static final int UNSIGNED_INT = 1;
    private static final int UNSIGNED_LONG_LONG = 3;
    /** Totals of CRC, replay and recovery errors. */
    private static final Set<Integer> ERROR_TOTALS = Set.of(38, 45, 52, 59);

    private NvLinkBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        put(behaviours, "nvmlDeviceGetNvLinkState", (call, card) -> call.putInt(2, 1));
        put(behaviours, "nvmlDeviceGetNvLinkVersion", (call, card) -> call.putInt(2, card.version()));
        put(behaviours, "nvmlDeviceGetNvLinkCapability", (call, card) -> call.putInt(3, 1));
        put(behaviours, "nvmlDeviceGetNvLinkErrorCounter", (call, card) -> call.putLong(3, 0));
        put(behaviours, "nvmlDeviceGetNvLinkRemoteDeviceType", (call, card) -> call.putInt(2, SWITCH));
        put(behaviours, "nvmlDeviceGetNvLinkRemotePciInfo", (call, card) -> remote(call));
        put(behaviours, "nvmlDeviceGetNvLinkRemotePciInfo_v2", (call, card) -> remote(call));
        for (String symbol : new String[] {"nvmlDeviceGetGpuFabricInfo", "nvmlDeviceGetGpuFabricInfoV"}) {
            behaviours.put(symbol, NvLinkBehaviours::fabric);
        }
    }

    @FunctionalInterface
    private interface OfLink {
        void answer(Call call, LinkDescription card);
    }

    private static void put(Map<String, Behaviour> behaviours, String symbol, OfLink answer) {
        behaviours.put(symbol, call -> {
            @Nullable LinkDescription card = links(call);
            if (card == null) {
                CannedAnswers.giveOrRefuse(call);
                return;
            }
            if (call.value(1) >= card.links()) {
                throw new Refusal(Code.INVALID_ARGUMENT);
            }
            answer.answer(call, card);
        });
    }

    /** Null where the GPU is alone, or its kind has no links. */
    static @Nullable LinkDescription links(Call call) {
        return call.machine().gpus().size() > 1 ? call.gpu().card().links() : null;
    }

    private static void remote(Call call) {
        int bus = FIRST_SWITCH_BUS + call.integer(1) % SWITCHES;
        int domain = call.gpu().identity().domain();
        GpuIdentity at = new GpuIdentity("", "", 0, domain, bus, 0);
        call.struct(2)
                .set("domain", domain)
                .set("bus", bus)
                .set("device", 0)
                .set("busId", at.busId())
                .set("busIdLegacy", at.legacyBusId());
    }

    /** The fabric manager of the board has taken the GPU in. */
    private static void fabric(Call call) {
        CannedAnswers.giveOrRefuse(call);
        if (links(call) != null) {
            call.struct(1).set("state", FABRIC_COMPLETED);
        }
    }

    /** A field value (nvml.h, NVML_FI_DEV_NVLINK_*) of linked GPUs; null where it is not one of those. */
    static @Nullable FieldDescription field(Call call, int id, int scope) {
        @Nullable LinkDescription card = links(call);
        if (card == null || scope < ALL_LINKS || scope >= card.links()) {
            return null;
        }
        return switch (id) {
            case 90, 164 -> value(id, UNSIGNED_INT, card.speed());
            case 91 -> value(id, UNSIGNED_INT, card.links());
            case 165 -> value(id, UNSIGNED_INT, 1);
            case 138, 139 -> value(id, UNSIGNED_LONG_LONG, carried(call, card, scope, 1));
            case 140, 141 -> value(id, UNSIGNED_LONG_LONG, carried(call, card, scope, OVERHEAD));
            default -> ERROR_TOTALS.contains(id) ? value(id, UNSIGNED_LONG_LONG, 0) : null;
        };
    }

    private static FieldDescription value(int id, int type, long value) {
        return new FieldDescription(id, "", type, Code.SUCCESS, value, true, 0, 0);
    }

    /** KiB since the start, as much each way. */
    private static long carried(Call call, LinkDescription card, int scope, double factor) {
        SimulatedGpu gpu = call.gpu();
        double seconds;
        synchronized (gpu) {
            seconds = gpu.readings().meter().gpuPercentSeconds();
        }
        long ofOneLink = (long) (seconds * KIB_PER_PERCENT_SECOND * factor);
        return scope == ALL_LINKS ? ofOneLink * card.links() : ofOneLink;
    }
}
