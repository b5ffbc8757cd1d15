// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.fold;

import io.gpuagent.model.health.HealthAction;
import io.gpuagent.model.health.HealthState;

/** The recovery actions of field 230; nvml.h 13.0, and 5 from driver R595. The list is open: another number may come. */
final class RecoveryActions {
    static final int NONE = 0;
    private static final int LAST_KNOWN_TO_RANK = 4;

    private RecoveryActions() {}

    static Effect effect(int action) {
        return switch (action) {
            case NONE -> Effect.NONE;
            case 1 -> new Effect(HealthState.CRITICAL, HealthAction.DRAIN_AND_RESET);
            case 2 -> new Effect(HealthState.CRITICAL, HealthAction.REBOOT);
            case 3, 4 -> new Effect(HealthState.DEGRADED, HealthAction.DRAIN_AND_RESET);
            default -> new Effect(HealthState.DEGRADED, HealthAction.NONE);
        };
    }

    /** Whether the number says enough to outrank a table. */
    static boolean outranks(int action) {
        return action >= NONE && action <= LAST_KNOWN_TO_RANK;
    }

    static String text(int action) {
        return switch (action) {
            case NONE -> "the GPU asks for nothing";
            case 1 -> "the GPU asks for a reset (recovery action 1)";
            case 2 -> "the GPU asks for a restart of the machine (recovery action 2)";
            case 3 -> "the GPU asks that its traffic with other GPUs be drained (recovery action 3)";
            case 4 -> "the GPU asks for a reset once its work has ended (recovery action 4)";
            case 5 -> "the GPU asks that its IMEX domain be recovered (recovery action 5)";
            default ->
                "the GPU asks for recovery action " + action + ", which this version does not know; "
                        + "the documentation of its driver does";
        };
    }
}
