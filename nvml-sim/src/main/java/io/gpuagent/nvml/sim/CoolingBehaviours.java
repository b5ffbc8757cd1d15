// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Fans, and the temperature that they are to keep. No card of this build has a fan; a description may have some. */
final class CoolingBehaviours {
    /** NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_*. */
    private static final int ACOUSTIC_MIN = 4;

    private static final int ACOUSTIC_CURR = 5;
    private static final int ACOUSTIC_MAX = 6;

    /** NVML_FAN_POLICY_*. */
    private static final int AUTOMATIC = 0;

    private static final int MANUAL = 1;

    private CoolingBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetTemperatureThreshold", CoolingBehaviours::threshold);
        behaviours.put("nvmlDeviceSetTemperatureThreshold", CoolingBehaviours::setThreshold);
        behaviours.put("nvmlDeviceGetFanSpeed_v2", CoolingBehaviours::speed);
        behaviours.put("nvmlDeviceGetTargetFanSpeed", CoolingBehaviours::speed);
        behaviours.put("nvmlDeviceSetFanSpeed_v2", CoolingBehaviours::setSpeed);
        behaviours.put("nvmlDeviceSetDefaultFanSpeed_v2", CoolingBehaviours::automaticSpeed);
        behaviours.put("nvmlDeviceGetFanControlPolicy_v2", CoolingBehaviours::policy);
        behaviours.put("nvmlDeviceSetFanControlPolicy", CoolingBehaviours::setPolicy);
    }

    private static void threshold(Call call) {
        OptionalInt set;
        synchronized (call.gpu()) {
            set = call.integer(1) == ACOUSTIC_CURR ? call.gpu().settings().acousticThreshold : OptionalInt.empty();
        }
        if (set.isEmpty()) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        call.putInt(2, set.getAsInt());
    }

    /** By the kind that can be set; nvml.h has no word of privileges here, and no other setter is free of them. */
    private static void setThreshold(Call call) {
        int celsius = call.readInt(2);
        if (call.integer(1) != ACOUSTIC_CURR) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        Description card = call.gpu().card();
        String function = "nvmlDeviceGetTemperatureThreshold";
        if (card.figure(function, ACOUSTIC_CURR).isEmpty()) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        call.require(Privilege.ROOT);
        if (celsius < card.figure(function, ACOUSTIC_MIN).orElse(0)
                || celsius > card.figure(function, ACOUSTIC_MAX).orElse(Integer.MAX_VALUE)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.gpu().change(() -> call.gpu().settings().acousticThreshold = OptionalInt.of(celsius));
    }

    /** Where the driver controls a fan, it answers as described. */
    private static void speed(Call call) {
        @Nullable Integer set;
        synchronized (call.gpu()) {
            set = call.gpu().settings().fanSpeeds.get(call.integer(1));
        }
        if (set == null) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        call.putInt(2, set);
    }

    private static int fan(Call call) {
        int fans = call.gpu().card().figure("nvmlDeviceGetNumFans").orElse(0);
        if (fans == 0) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        int fan = call.integer(1);
        if (fan < 0 || fan >= fans) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return fan;
    }

    private static void setSpeed(Call call) {
        int fan = fan(call);
        int percent = call.integer(2);
        String limits = "nvmlDeviceGetMinMaxFanSpeed";
        Description card = call.gpu().card();
        call.require(Privilege.ROOT);
        if (percent < card.figure(limits, 0, new int[0]).orElse(0)
                || percent > card.figure(limits, 1, new int[0]).orElse(100)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.gpu().change(() -> call.gpu().settings().fanSpeeds.put(fan, percent));
    }

    private static void automaticSpeed(Call call) {
        int fan = fan(call);
        call.require(Privilege.ROOT);
        call.gpu().change(() -> call.gpu().settings().fanSpeeds.remove(fan));
    }

    private static void policy(Call call) {
        if (call.gpu().card().figure("nvmlDeviceGetNumFans").orElse(0) == 0) {
            CannedAnswers.giveOrRefuse(call);
            return;
        }
        int fan = fan(call);
        synchronized (call.gpu()) {
            call.putInt(2, call.gpu().settings().fanSpeeds.containsKey(fan) ? MANUAL : AUTOMATIC);
        }
    }

    /** A fan that is taken over goes on at the speed that it has. */
    private static void setPolicy(Call call) {
        int fan = fan(call);
        int policy = call.integer(2);
        if (policy != AUTOMATIC && policy != MANUAL) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        call.require(Privilege.ROOT);
        int now = call.gpu().card().figure("nvmlDeviceGetFanSpeed_v2", fan).orElse(0);
        call.gpu().change(() -> {
            if (policy == AUTOMATIC) {
                call.gpu().settings().fanSpeeds.remove(fan);
            } else {
                call.gpu().settings().fanSpeeds.putIfAbsent(fan, now);
            }
        });
    }
}
