// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.Layouts.nvmlTemperature_v1_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlGpuThermalSettings_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlMarginTemperature_v1_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Temperatures, in degrees Celsius. */
public final class Thermal {
    private static final int VERSION_1 = Layouts.version(nvmlTemperature_v1_t, 1);
    private static final long VERSION = offset(nvmlTemperature_v1_t, "version");
    private static final long TEMPERATURE = offset(nvmlTemperature_v1_t, "temperature");
    /** NVML_TEMPERATURE_GPU, the only sensor of nvmlTemperatureSensors_t. */
    private static final int SENSOR_GPU = 0;
    /** NVML_THERMAL_TARGET_ALL, in place of one sensor's number. */
    private static final int ALL_SENSORS = 15;

    private final Handle device;

    Thermal(Handle device) {
        this.device = device;
    }

    /**
     * The die's temperature now (nvmlDeviceGetTemperatureV; before driver 560 or so nvmlDeviceGetTemperature).
     *
     * @return degrees Celsius; unavailable for -1, which is NVML_VALUE_NOT_AVAILABLE sooner than a temperature
     */
    public Answer<Integer> gpu() {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetTemperatureV;
        // The sensor's zero is NVML_TEMPERATURE_GPU already.
        MemorySegment out = Scratch.fresh().take(nvmlTemperature_v1_t);
        out.set(JAVA_INT, VERSION, VERSION_1);
        int code = device.calls().call(function, device, out);
        if (Versions.older(code)) {
            return Queries.u32(device, NvmlFunction.nvmlDeviceGetTemperature, SENSOR_GPU)
                    .map(Long::intValue);
        }
        if (code != Queries.OK) {
            return Queries.refused(function, code);
        }
        int celsius = out.get(JAVA_INT, TEMPERATURE);
        return celsius == Queries.NOT_AVAILABLE_32 ? new Answer.Unavailable<>(function) : new Answer.Value<>(celsius);
    }

    /**
     * A temperature at which the GPU acts (nvmlDeviceGetTemperatureThreshold). It does not change.
     *
     * @param threshold which
     * @return degrees Celsius
     */
    public Answer<Integer> threshold(Threshold threshold) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetTemperatureThreshold, threshold.c)
                .map(Long::intValue);
    }

    /**
     * How far the die is from the nearest slowdown (nvmlDeviceGetMarginTemperature), also called T.Limit. It takes 1 ms on
     * an H200.
     *
     * @return degrees Celsius; negative once it is beyond
     */
    public Answer<Integer> margin() {
        return Structs.versioned(
                device,
                NvmlFunction.nvmlDeviceGetMarginTemperature,
                nvmlMarginTemperature_v1_t,
                1,
                margin -> margin.s32("marginTemperature"));
    }

    /**
     * The sensors (nvmlDeviceGetThermalSettings).
     *
     * @return up to three of them
     */
    public Answer<List<Sensor>> sensors() {
        return Structs.plain(
                device,
                NvmlFunction.nvmlDeviceGetThermalSettings,
                ALL_SENSORS,
                nvmlGpuThermalSettings_t,
                settings -> settings.list("sensor", settings.u32("count"), Sensor::of));
    }

    /** {@code nvmlTemperatureThresholds_t}. */
    public enum Threshold {
        /** The GPU shuts down. */
        SHUTDOWN(0),
        /** The GPU slows its clocks. */
        SLOWDOWN(1),
        /** The memory slows down. */
        MEMORY_MAX(2),
        /** The GPU may slow down. */
        GPU_MAX(3),
        /** The lowest that {@link #ACOUSTIC} can be set to. */
        ACOUSTIC_MIN(4),
        /** The GPU may slow down to stay quiet. */
        ACOUSTIC(5),
        /** The highest that {@link #ACOUSTIC} can be set to. */
        ACOUSTIC_MAX(6),
        /** GPS, the system's power steering, acts. */
        GPS(7);

        private final int c;

        Threshold(int c) {
            this.c = c;
        }
    }
}
