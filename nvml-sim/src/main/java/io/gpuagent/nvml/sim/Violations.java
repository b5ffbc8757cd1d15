// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;

/** For how long the clocks were held down, and by what: counters that go on from what was captured. */
final class Violations {
    private static final long SYNC_BOOST = 0x10;
    private static final long SOFTWARE_THERMAL = 0x20;
    private static final long HARDWARE_THERMAL = 0x40;
    private static final long POWER_BRAKE = 0x80;
    /** Whatever the reason: also an idle card runs below its clocks. */
    private static final long ANY = 0xFFFF_FFFFL;

    private Violations() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetViolationStatus", Violations::status);
    }

    private static void status(Call call) {
        CannedAnswers.giveOrRefuse(call);
        StructView status = call.struct(2);
        long reasons = reasons(call.integer(1));
        status.set("referenceTime", call.machine().clock().epochMicros())
                .set(
                        "violationTime",
                        call.gpu().captured(status.get("violationTime"))
                                + call.gpu().limitedNanos(reasons));
    }

    /** By nvmlPerfPolicyType_t. */
    private static long reasons(int policy) {
        return switch (policy) {
            case 0 -> ClockReasons.SOFTWARE_POWER_CAP;
            case 1 -> SOFTWARE_THERMAL | HARDWARE_THERMAL;
            case 2 -> SYNC_BOOST;
            case 4 -> ClockReasons.IDLE;
            case 10, 11 -> ANY;
            default -> 0;
        };
    }

    /** The same counters as field values, by the ids of nvml.h; 0 for every other field. */
    static long reasonsOfField(int id) {
        return switch (id) {
            case 74, 75, 76 -> reasons(id - 74);
            case 78 -> reasons(4);
            case 80, 81 -> ANY;
            case 269 -> SOFTWARE_THERMAL;
            case 270 -> HARDWARE_THERMAL;
            case 271 -> POWER_BRAKE;
            default -> 0;
        };
    }
}
