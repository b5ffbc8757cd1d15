// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;

/** Sets fans and temperature limits. GPUs of servers have no fans of their own: NOT_SUPPORTED. */
public final class CoolingControl {
    /** NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR. */
    private static final int ACOUSTIC_CURR = 5;

    private final Handle device;

    CoolingControl(Handle device) {
        this.device = device;
    }

    /**
     * Sets the speed of a fan (nvmlDeviceSetFanSpeed_v2). From then on it is on the caller to keep the GPU cool, until
     * {@link #automaticFanSpeed}: a fan that is too slow can destroy it.
     *
     * @param fan from 0
     * @param percent of the highest speed
     * @return done; INVALID_ARGUMENT where there is no such fan or speed
     */
    public Answer<Done> fanSpeed(int fan, int percent) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetFanSpeed_v2;
        return Queries.done(function, device.calls().call(function, device, fan, percent));
    }

    /**
     * Lets the driver set the speed of a fan again (nvmlDeviceSetDefaultFanSpeed_v2).
     *
     * @param fan from 0
     * @return done
     */
    public Answer<Done> automaticFanSpeed(int fan) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetDefaultFanSpeed_v2;
        return Queries.done(function, device.calls().call(function, device, fan));
    }

    /**
     * Sets whether the driver or the caller sets the speed of a fan (nvmlDeviceSetFanControlPolicy).
     *
     * @param fan from 0
     * @param manual true for the caller; see the warning at {@link #fanSpeed}
     * @return done
     */
    public Answer<Done> fanPolicy(int fan, boolean manual) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetFanControlPolicy;
        // nvml.h: NVML_FAN_POLICY_TEMPERATURE_CONTINOUS_SW is 0, NVML_FAN_POLICY_MANUAL is 1.
        return Queries.done(function, device.calls().call(function, device, fan, manual ? 1 : 0));
    }

    /**
     * Sets the temperature that the fans are to keep (nvmlDeviceSetTemperatureThreshold with
     * NVML_TEMPERATURE_THRESHOLD_ACOUSTIC_CURR, the only one that can be set).
     *
     * @param celsius degrees Celsius, between the acoustic minimum and maximum
     * @return done
     */
    public Answer<Done> acousticThreshold(int celsius) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetTemperatureThreshold;
        MemorySegment temperature = Scratch.fresh().take(JAVA_INT);
        temperature.set(JAVA_INT, 0, celsius);
        return Queries.done(function, device.calls().call(function, device, ACOUSTIC_CURR, temperature));
    }
}
