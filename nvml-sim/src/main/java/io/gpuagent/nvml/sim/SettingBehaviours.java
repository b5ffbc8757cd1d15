// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Modes and the power limit: what an operator sets and reads back. Where a card does not answer the getter, the setter is
 * refused in the same way.
 */
final class SettingBehaviours {
    /** NVML_COMPUTEMODE_*: 1 is deprecated and not accepted any more. */
    private static final int DEFAULT = 0;

    private static final int PROHIBITED = 2;
    private static final int EXCLUSIVE_PROCESS = 3;

    private SettingBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceSetComputeMode", SettingBehaviours::computeMode);
        behaviours.put("nvmlDeviceSetPersistenceMode", SettingBehaviours::persistence);
        behaviours.put("nvmlDeviceGetEccMode", SettingBehaviours::ecc);
        behaviours.put("nvmlDeviceSetEccMode", SettingBehaviours::setEcc);
        behaviours.put("nvmlDeviceClearEccErrorCounts", SettingBehaviours::clearErrors);
        behaviours.put("nvmlDeviceGetPowerManagementLimit", set(settings -> settings.powerLimit));
        behaviours.put("nvmlDeviceGetEnforcedPowerLimit", set(settings -> settings.powerLimit));
        behaviours.put("nvmlDeviceSetPowerManagementLimit", call -> powerLimit(call, call.integer(1)));
        behaviours.put("nvmlDeviceSetPowerManagementLimit_v2", SettingBehaviours::powerLimitV2);
    }

    /** A getter of one number that somebody may have set. */
    static Behaviour set(Function<GpuSettings, OptionalInt> setting) {
        return call -> {
            OptionalInt value;
            synchronized (call.gpu()) {
                value = setting.apply(call.gpu().settings());
            }
            if (value.isEmpty()) {
                CannedAnswers.giveOrRefuse(call);
                return;
            }
            call.putInt(1, value.getAsInt());
        };
    }

    /** An {@code nvmlEnableState_t}. */
    static boolean enabled(Call call, int index) {
        int state = call.integer(index);
        if (state < 0 || state > 1) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return state == 1;
    }

    /** nvml.h: in MIG mode it is DEFAULT, and changing it is not supported. */
    private static void computeMode(Call call) {
        int mode = call.integer(1);
        if (mode != DEFAULT && mode != PROHIBITED && mode != EXCLUSIVE_PROCESS) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.require(Privilege.ROOT);
        if (mode != DEFAULT && call.gpu().state().migCurrent() == 1) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.gpu().state().setComputeMode(mode);
    }

    private static void persistence(Call call) {
        boolean isOn = enabled(call, 1);
        call.require(Privilege.ROOT);
        call.gpu().state().setPersistence(isOn);
    }

    private static void ecc(Call call) {
        // Both are written before one is changed: where the card has no ECC, that ends here.
        CannedAnswers.giveOrRefuse(call);
        GpuSettings settings = call.gpu().settings();
        synchronized (call.gpu()) {
            settings.eccMode.ifPresent(mode -> call.putInt(1, mode));
            settings.pendingEccMode.ifPresent(mode -> call.putInt(2, mode));
        }
    }

    /** Whether ECC is on now; empty for a card that has none. */
    static OptionalInt eccMode(SimulatedGpu gpu) {
        synchronized (gpu) {
            OptionalInt set = gpu.settings().eccMode;
            return set.isPresent() ? set : gpu.card().figure("nvmlDeviceGetEccMode");
        }
    }

    private static void setEcc(Call call) {
        boolean isOn = enabled(call, 1);
        requireEcc(call);
        call.require(Privilege.ROOT);
        call.gpu().change(() -> call.gpu().settings().pendingEccMode = OptionalInt.of(isOn ? 1 : 0));
    }

    private static void requireEcc(Call call) {
        if (eccMode(call.gpu()).isEmpty()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
    }

    /** nvml.h: ECC has to be on. */
    private static void clearErrors(Call call) {
        int counter = call.integer(1);
        if (counter < 0 || counter > 1) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        if (eccMode(call.gpu()).orElse(0) == 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.require(Privilege.ROOT);
        call.gpu().state().clearErrors(counter);
    }

    private static void powerLimitV2(Call call) {
        StructView value = call.struct(1);
        // NVML_POWER_SCOPE_GPU; the module and the memory have limits of their own on other machines only.
        if (value.get("powerScope") != 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        powerLimit(call, value.getInt("powerValueMw"));
    }

    private static void powerLimit(Call call, int milliwatts) {
        Description card = call.gpu().card();
        String limits = "nvmlDeviceGetPowerManagementLimitConstraints";
        OptionalInt least = card.figure(limits, 0, new int[0]);
        OptionalInt most = card.figure(limits, 1, new int[0]);
        if (least.isEmpty() || most.isEmpty()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.require(Privilege.ROOT);
        if (milliwatts < least.getAsInt() || milliwatts > most.getAsInt()) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.gpu().change(() -> call.gpu().settings().powerLimit = OptionalInt.of(milliwatts));
    }
}
