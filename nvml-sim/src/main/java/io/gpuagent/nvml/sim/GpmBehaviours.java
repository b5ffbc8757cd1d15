// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Map;
import java.util.Optional;

/** GPU performance monitoring: what a GPU or a GPU instance did between two samples. */
final class GpmBehaviours {
    /** NVML_GPM_METRICS_GET_VERSION and NVML_GPM_SUPPORT_VERSION. */
    private static final int VERSION = 1;
    /** NVML_GPM_METRIC_MAX, and so the length of the array in nvmlGpmMetricsGet_t. */
    private static final int MOST_METRICS = 210;

    private GpmBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlGpmQueryDeviceSupport", GpmBehaviours::support);
        behaviours.put("nvmlGpmSampleAlloc", GpmBehaviours::allocate);
        behaviours.put("nvmlGpmSampleFree", GpmBehaviours::free);
        behaviours.put("nvmlGpmSampleGet", GpmBehaviours::sample);
        behaviours.put("nvmlGpmMigSampleGet", GpmBehaviours::migSample);
        behaviours.put("nvmlGpmMetricsGet", GpmBehaviours::metrics);
    }

    private static void support(Call call) {
        requireVersion(call.struct(1));
        CannedAnswers.giveOrRefuse(call);
    }

    private static void requireVersion(StructView struct) {
        if (struct.getInt("version") != VERSION) {
            throw new Refusal(Code.ARGUMENT_VERSION_MISMATCH);
        }
    }

    private static boolean isSupported(Call call) {
        CannedAnswer support = call.machine().canned("nvmlGpmQueryDeviceSupport");
        return support.content() instanceof CannedAnswer.Fields fields
                && fields.fields().getOrDefault("isSupportedDevice", 0L).equals(1L);
    }

    private static void allocate(Call call) {
        call.requirePointer(0);
        call.putLong(0, call.machine().handles().add(new GpmSample()));
    }

    private static void free(Call call) {
        call.machine().handles().get(call.handle(0), GpmSample.class);
        call.machine().handles().remove(call.handle(0));
    }

    private static void sample(Call call) {
        GpmSample sample = call.machine().handles().get(call.handle(1), GpmSample.class);
        if (!isSupported(call)) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        SimulatedGpu gpu = call.gpu();
        synchronized (gpu) {
            Meter meter = gpu.readings().meter();
            Sensors now = gpu.sensors();
            sample.take(new GpmSample.Counters(
                    gpu,
                    gpu.readings().second(),
                    meter.gpuPercentSeconds(),
                    meter.memoryPercentSeconds(),
                    now.gpuPercent(),
                    now.memoryPercent()));
        }
    }

    private static void migSample(Call call) {
        GpmSample sample = call.machine().handles().get(call.handle(2), GpmSample.class);
        if (!isSupported(call)) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        SimulatedGpu gpu = call.gpu();
        synchronized (gpu) {
            MigInstances instances = gpu.mig().instances();
            instances.requireMode();
            MigGpuInstance instance =
                    instances.find(call.integer(1)).orElseThrow(() -> new Refusal(Code.INVALID_ARGUMENT));
            gpu.readings().settle();
            long second = gpu.readings().second();
            double percent = gpu.readings().percent(instance, second);
            double sum = instance.percentSeconds();
            sample.take(new GpmSample.Counters(
                    instance, second, sum, sum * Load.MEMORY_SHARE, percent, percent * Load.MEMORY_SHARE));
        }
    }

    private static void metrics(Call call) {
        StructView request = call.struct(0);
        requireVersion(request);
        int count = request.getInt("numMetrics");
        if (count < 1 || count > MOST_METRICS) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        Handles handles = call.machine().handles();
        GpmSample.Counters older =
                handles.get(request.get("sample1"), GpmSample.class).counters();
        GpmSample.Counters newer =
                handles.get(request.get("sample2"), GpmSample.class).counters();
        if (!older.target().equals(newer.target()) || older.second() > newer.second()) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        double gpuPercent = newer.meanGpuPercent(older);
        double memoryPercent = newer.meanMemoryPercent(older);
        for (int i = 0; i < count; i++) {
            give(call, request, "metrics[" + i + "].", gpuPercent, memoryPercent);
        }
    }

    private static void give(Call call, StructView request, String place, double gpuPercent, double memoryPercent) {
        int id = request.getInt(place + "metricId");
        Optional<GpmMetric> metric = GpmMetric.of(id);
        boolean isKnown = metric.isPresent() || GpmMetric.isStill(id);
        request.set(place + "nvmlReturn", isKnown ? Code.SUCCESS : Code.INVALID_ARGUMENT)
                .set(
                        place + "value",
                        metric.map(m -> m.value(gpuPercent, memoryPercent)).orElse(0.0))
                .set(
                        place + "metricInfo.shortName",
                        metric.map(m -> call.library().text(m.name())).orElse(0L))
                .set(place + "metricInfo.longName", 0L)
                .set(
                        place + "metricInfo.unit",
                        metric.map(m -> call.library().text(m.unit())).orElse(0L));
    }
}
