// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.GpmLayouts.nvmlGpmMetric_t;
import static io.gpuagent.nvml.internal.GpmLayouts.nvmlGpmMetricsGet_t;
import static io.gpuagent.nvml.internal.GpmLayouts.nvmlGpmSupport_t;
import static io.gpuagent.nvml.internal.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.GpmLayouts;
import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * GPU Performance Monitoring, on Hopper and newer: what happened between two samples. They are to lie more than 100 ms
 * apart; a sample of an H200 takes 0.7 ms.
 */
public final class Gpm {
    private static final long METRICS = offset(nvmlGpmMetricsGet_t, "metrics");
    private static final long METRIC_ID = offset(nvmlGpmMetric_t, "metricId");
    private static final long NVML_RETURN = offset(nvmlGpmMetric_t, "nvmlReturn");
    private static final long VALUE = offset(nvmlGpmMetric_t, "value");

    private final Handle device;

    Gpm(Handle device) {
        this.device = device;
    }

    /**
     * Whether the GPU can do it (nvmlGpmQueryDeviceSupport).
     *
     * @return true where it can
     */
    public Answer<Boolean> isSupported() {
        return Structs.ask(
                device,
                NvmlFunction.nvmlGpmQueryDeviceSupport,
                nvmlGpmSupport_t,
                question -> question.set("version", GpmLayouts.VERSION),
                out -> out.flag("isSupportedDevice"));
    }

    /**
     * Room for a sample (nvmlGpmSampleAlloc), to be taken with {@link #sample} again and again.
     *
     * @return the room, to be closed
     */
    public Answer<GpmSample> allocate() {
        return GpmSample.allocate(device);
    }

    /**
     * Samples the GPU (nvmlGpmSampleGet).
     *
     * @param into what to overwrite
     * @return what NVML answered
     */
    public NvmlReturn sample(GpmSample into) {
        return new NvmlReturn(
                into.of(device).use(sample -> device.calls().call(NvmlFunction.nvmlGpmSampleGet, device, sample)));
    }

    /**
     * Samples a GPU instance (nvmlGpmMigSampleGet).
     *
     * @param gpuInstanceId the instance
     * @param into what to overwrite
     * @return what NVML answered
     */
    public NvmlReturn sample(int gpuInstanceId, GpmSample into) {
        return new NvmlReturn(into.of(device)
                .use(sample -> device.calls().call(NvmlFunction.nvmlGpmMigSampleGet, device, gpuInstanceId, sample)));
    }

    /**
     * What happened between two samples (nvmlGpmMetricsGet).
     *
     * @param earlier the earlier sample
     * @param later the later sample, of the same GPU or instance
     * @param metrics what to tell
     * @return an answer for each; all refused where the call as a whole was. A value that is no number is unavailable
     */
    public Map<GpmMetric, Answer<Double>> metrics(GpmSample earlier, GpmSample later, Collection<GpmMetric> metrics) {
        Map<GpmMetric, Answer<Double>> answers = new EnumMap<>(GpmMetric.class);
        Set<GpmMetric> asked = EnumSet.noneOf(GpmMetric.class);
        asked.addAll(metrics);
        if (asked.isEmpty()) {
            return answers;
        }
        NvmlFunction function = NvmlFunction.nvmlGpmMetricsGet;
        Struct request = new Struct(nvmlGpmMetricsGet_t, Scratch.fresh().take(nvmlGpmMetricsGet_t));
        request.set("version", GpmLayouts.VERSION);
        request.set("numMetrics", asked.size());
        int i = 0;
        for (GpmMetric metric : asked) {
            element(request, i++).set(JAVA_INT, METRIC_ID, metric.id());
        }
        int code = earlier.of(device)
                .use(first -> later.of(device).use(second -> {
                    request.set("sample1", first.address());
                    request.set("sample2", second.address());
                    return device.calls().callFor(device.gpu(), function, request.memory());
                }));
        i = 0;
        for (GpmMetric metric : asked) {
            answers.put(
                    metric,
                    code == NvmlReturn.SUCCESS.code()
                            ? answer(function, element(request, i++))
                            : Queries.refused(function, code));
        }
        return answers;
    }

    private static MemorySegment element(Struct request, int index) {
        long stride = nvmlGpmMetric_t.byteSize();
        return request.memory().asSlice(METRICS + index * stride, stride);
    }

    private static Answer<Double> answer(NvmlFunction function, MemorySegment metric) {
        int code = metric.get(JAVA_INT, NVML_RETURN);
        double value = metric.get(JAVA_DOUBLE, VALUE);
        if (code != NvmlReturn.SUCCESS.code()) {
            return Queries.refused(function, code);
        }
        return Double.isFinite(value) ? new Answer.Value<>(value) : new Answer.Unavailable<>(function);
    }

    /**
     * Whether the driver samples continuously (nvmlGpmQueryIfStreamingEnabled).
     *
     * @return true where it does
     */
    public Answer<Boolean> isStreaming() {
        return Queries.flag(device, NvmlFunction.nvmlGpmQueryIfStreamingEnabled);
    }

    /**
     * Makes the driver sample continuously, or stop to (nvmlGpmSetStreamingEnabled).
     *
     * @param on whether it is to
     * @return what NVML answered
     */
    public NvmlReturn setStreaming(boolean on) {
        return new NvmlReturn(device.calls().call(NvmlFunction.nvmlGpmSetStreamingEnabled, device, on ? 1 : 0));
    }
}
