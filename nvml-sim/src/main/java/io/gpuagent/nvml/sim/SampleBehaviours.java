// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The buffers in which the driver keeps its last samples of power and utilization. Their lengths are those of an H200;
 * that they reach back twelve seconds is unverified.
 */
final class SampleBehaviours {
    private static final int TOTAL_POWER = 0;
    private static final int GPU_UTILIZATION = 1;
    private static final int MEMORY_UTILIZATION = 2;
    /** ENC, DEC, JPG and OFA (nvml.h, nvmlSamplingType_enum). */
    private static final Set<Integer> IDLE_ENGINES = Set.of(3, 4, 8, 9);
    /** PROCESSOR_CLK and MEMORY_CLK. */
    private static final Set<Integer> NOT_KEPT = Set.of(5, 6);

    private static final int POWER_SAMPLES = 119;
    private static final int UTILIZATION_SAMPLES = 71;
    private static final int POWER_SAMPLES_PER_SECOND = 10;
    private static final int UTILIZATION_SAMPLES_PER_SECOND = 6;
    private static final long MICROS_PER_SECOND = 1_000_000;
    /** NVML_VALUE_TYPE_UNSIGNED_INT. */
    private static final int UNSIGNED_INT = 1;

    private record Sample(long micros, long value) {}

    private SampleBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetSamples", SampleBehaviours::samples);
    }

    private static void samples(Call call) {
        call.requirePointer(3);
        call.requirePointer(4);
        int type = call.integer(1);
        if (NOT_KEPT.contains(type)) {
            throw new Refusal(Code.NOT_FOUND);
        }
        boolean isPower = type == TOTAL_POWER;
        boolean isUtilization = type == GPU_UTILIZATION || type == MEMORY_UTILIZATION || IDLE_ENGINES.contains(type);
        if (!isPower && !isUtilization) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        if (isUtilization && call.gpu().state().migCurrent() == 1) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        int kept = isPower ? POWER_SAMPLES : UTILIZATION_SAMPLES;
        call.putInt(3, UNSIGNED_INT);
        if (call.isNull(5)) {
            call.putInt(4, kept);
            return;
        }
        int room = call.readInt(4);
        if (room == 0) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        give(call, taken(call, type, kept, isPower ? POWER_SAMPLES_PER_SECOND : UTILIZATION_SAMPLES_PER_SECOND), room);
    }

    /** The samples that are newer than what the caller has seen, oldest first. */
    private static List<Sample> taken(Call call, int type, int kept, int perSecond) {
        long seen = call.handle(2);
        long start =
                call.machine().clock().epochMicros() - call.machine().clock().elapsedNanos() / 1_000;
        long last = call.machine().clock().elapsedNanos() / 1_000 * perSecond / MICROS_PER_SECOND;
        List<Sample> taken = new ArrayList<>();
        synchronized (call.gpu()) {
            for (long i = last - kept + 1; i <= last; i++) {
                long micros = start + Math.floorDiv(i * MICROS_PER_SECOND, (long) perSecond);
                if (Long.compareUnsigned(micros, seen) > 0) {
                    taken.add(new Sample(micros, value(call.gpu(), type, Math.floorDiv(i, (long) perSecond))));
                }
            }
        }
        return taken;
    }

    private static long value(SimulatedGpu gpu, int type, long second) {
        return switch (type) {
            case TOTAL_POWER -> gpu.readings().past(second, Meter::power, Sensors::powerMilliwatts);
            case GPU_UTILIZATION -> gpu.readings().past(second, Meter::gpuPercent, Sensors::gpuPercent);
            case MEMORY_UTILIZATION -> gpu.readings().past(second, Meter::memoryPercent, Sensors::memoryPercent);
            default -> 0;
        };
    }

    private static void give(Call call, List<Sample> samples, int room) {
        if (samples.isEmpty()) {
            throw new Refusal(Code.NOT_FOUND);
        }
        int count = (int) Math.min(samples.size(), Integer.toUnsignedLong(room));
        call.putInt(4, count);
        for (int i = 0; i < count; i++) {
            call.element(5, i)
                    .set("timeStamp", samples.get(i).micros())
                    .set("sampleValue.ullVal", samples.get(i).value());
        }
    }
}
