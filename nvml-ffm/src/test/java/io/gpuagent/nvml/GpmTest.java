// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.GpmLayouts.nvmlGpmMetric_t;
import static io.gpuagent.nvml.internal.GpmLayouts.nvmlGpmMetricsGet_t;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.abi.HeaderConstants;
import io.gpuagent.nvml.internal.Layouts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GpmTest {
    private static final NvmlFunction FUNCTION = NvmlFunction.nvmlGpmMetricsGet;
    private static final long FIRST_SAMPLE = 0x100;

    private final List<Long> freed = new ArrayList<>();
    private long samples;
    private final FakeSession session = new FakeSession()
            .with("nvmlGpmSampleAlloc", arguments -> {
                FakeSession.writeLong(arguments[0], FIRST_SAMPLE + samples++);
                return 0;
            })
            .with("nvmlGpmSampleFree", arguments -> {
                freed.add(arguments[0]);
                return 0;
            });
    private final Gpm gpm = session.gpu(2).gpm();

    @Test
    void metricsAreThoseOfTheHeader() throws IOException {
        Map<String, Integer> header = HeaderConstants.ofVendoredHeader().enumConstants("NVML_GPM_METRIC_");
        header.remove("MAX");

        assertThat(Stream.of(GpmMetric.values()).collect(Collectors.toMap(GpmMetric::name, GpmMetric::id)))
                .isEqualTo(header);
    }

    @Test
    void samplesAreTakenOfTheGpuOrOfAnInstance() {
        List<String> taken = new ArrayList<>();
        session.with("nvmlGpmSampleGet", arguments -> {
                    taken.add("gpu into " + (arguments[1] - FIRST_SAMPLE));
                    return 0;
                })
                .with("nvmlGpmMigSampleGet", arguments -> {
                    taken.add("instance " + arguments[1] + " into " + (arguments[2] - FIRST_SAMPLE));
                    return 0;
                });
        try (GpmSample first = gpm.allocate().orThrow();
                GpmSample second = gpm.allocate().orThrow()) {
            assertThat(gpm.sample(first)).isEqualTo(NvmlReturn.SUCCESS);
            assertThat(gpm.sample(5, second)).isEqualTo(NvmlReturn.SUCCESS);
        }
        assertThat(taken).containsExactly("gpu into 0", "instance 5 into 1");
        assertThat(freed).containsExactlyInAnyOrder(FIRST_SAMPLE, FIRST_SAMPLE + 1);
    }

    /** Answers each metric: its id as the value, NOT_SUPPORTED for 3, no number for 5. */
    private static int answer(long request) {
        FakeSession.Struct out = FakeSession.struct(request, nvmlGpmMetricsGet_t);
        if (out.getInt("version") != 1 || out.getLong("sample2") != out.getLong("sample1") + 1) {
            return NvmlReturn.INVALID_ARGUMENT.code();
        }
        for (int i = 0; i < out.getInt("numMetrics"); i++) {
            FakeSession.Struct metric = FakeSession.struct(
                    request + Layouts.offset(nvmlGpmMetricsGet_t, "metrics") + i * nvmlGpmMetric_t.byteSize(),
                    nvmlGpmMetric_t);
            int id = metric.getInt("metricId");
            metric.set("nvmlReturn", id == 3 ? NvmlReturn.NOT_SUPPORTED.code() : 0);
            metric.memory().set(JAVA_DOUBLE, Layouts.offset(nvmlGpmMetric_t, "value"), id == 5 ? Double.NaN : id);
        }
        return 0;
    }

    @Test
    void eachMetricHasAnAnswerOfItsOwn() {
        session.with(FUNCTION.name(), arguments -> answer(arguments[0]));
        try (GpmSample first = gpm.allocate().orThrow();
                GpmSample second = gpm.allocate().orThrow()) {
            assertThat(gpm.metrics(
                            first,
                            second,
                            List.of(GpmMetric.GR7_CTXSW_ACTIVE_PCT, GpmMetric.SM_OCCUPANCY, GpmMetric.ANY_TENSOR_UTIL)))
                    .isEqualTo(Map.of(
                            GpmMetric.GR7_CTXSW_ACTIVE_PCT,
                            new Answer.Value<>(209.0),
                            GpmMetric.SM_OCCUPANCY,
                            new Answer.Refused<>(FUNCTION, NvmlReturn.NOT_SUPPORTED),
                            GpmMetric.ANY_TENSOR_UTIL,
                            new Answer.Unavailable<>(FUNCTION)));
        }
        assertThat(session.log.lines()).contains("before nvmlGpmMetricsGet on 2");
    }

    @Test
    void allMetricsFitOneCall() {
        session.with(FUNCTION.name(), arguments -> answer(arguments[0]));
        try (GpmSample first = gpm.allocate().orThrow();
                GpmSample second = gpm.allocate().orThrow()) {
            Map<GpmMetric, Answer<Double>> all = gpm.metrics(first, second, EnumSet.allOf(GpmMetric.class));

            assertThat(all).hasSize(GpmMetric.values().length);
            assertThat(all.get(GpmMetric.NVENC_3_UTIL)).isEqualTo(new Answer.Value<>(169.0));
        }
    }

    @Test
    void callThatIsRefusedRefusesAllMetrics() {
        session.with(FUNCTION.name(), NvmlReturn.GPU_IS_LOST);
        try (GpmSample first = gpm.allocate().orThrow();
                GpmSample second = gpm.allocate().orThrow()) {
            assertThat(gpm.metrics(first, second, List.of(GpmMetric.SM_UTIL)))
                    .isEqualTo(Map.of(GpmMetric.SM_UTIL, new Answer.Refused<>(FUNCTION, NvmlReturn.GPU_IS_LOST)));
        }
    }

    @Test
    void closedSampleIsNotHandedOver() {
        session.with(FUNCTION.name(), NvmlReturn.SUCCESS).with("nvmlGpmSampleGet", NvmlReturn.SUCCESS);
        GpmSample closed = gpm.allocate().orThrow();
        closed.close();
        try (GpmSample open = gpm.allocate().orThrow()) {
            assertThat(gpm.sample(closed)).isEqualTo(NvmlReturn.UNINITIALIZED);
            assertThat(gpm.metrics(open, closed, List.of(GpmMetric.SM_UTIL)))
                    .isEqualTo(Map.of(GpmMetric.SM_UTIL, new Answer.Refused<>(FUNCTION, NvmlReturn.UNINITIALIZED)));
        }
    }

    @Test
    void sampleOfAnotherSessionIsNotHandedOver() {
        try (GpmSample sample = gpm.allocate().orThrow()) {
            Gpm stranger = new FakeSession().gpu(0).gpm();

            assertThatThrownBy(() -> stranger.sample(sample)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void streamingIsAChange() {
        session.with("nvmlGpmSetStreamingEnabled", NvmlReturn.SUCCESS);

        assertThat(gpm.setStreaming(true)).isEqualTo(NvmlReturn.NO_PERMISSION);
        assertThat(session.log.lines()).isEmpty();
    }
}
