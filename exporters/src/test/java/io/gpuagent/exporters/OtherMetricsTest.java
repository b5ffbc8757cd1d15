// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.SampleSnapshots;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The agent's own meters on the page of the GPUs. */
class OtherMetricsTest {
    @Test
    void standBesideTheFamiliesOfThePage() {
        PageText page = page(gauge("jvm_threads_live_threads", 12), counter("jvm_gc_pause", 3));

        assertThat(page.value("jvm_threads_live_threads")).isEqualTo(12);
        assertThat(page.value("jvm_gc_pause_total")).isEqualTo(3);
        assertThat(page.names()).contains("gpu_info").doesNotContain("gpu_agent_rejected_samples");
    }

    @Test
    void neverReplaceAFamilyOfThePage() {
        PageText page = page(gauge("gpu_pstate", 99), counter("gpu_energy_joules", 99), gauge("gpu_agent_nvml_up", 99));

        assertThat(page.samples()).doesNotContainValue(99.0);
        assertThat(page.value("gpu_agent_rejected_samples", "\"gpu_pstate\"", "\"name_taken\""))
                .isEqualTo(1);
        assertThat(page.value("gpu_agent_rejected_samples", "gpu_energy_joules"))
                .isEqualTo(1);
    }

    @Test
    void areAllCountedWhenTheyShareATakenName() {
        PageText page = page(gauge("gpu_pstate", 98), gauge("gpu_pstate", 99));

        assertThat(page.value("gpu_agent_rejected_samples", "\"gpu_pstate\"", "\"name_taken\""))
                .isEqualTo(2);
    }

    @Test
    void doNotTakeANameThatThePageHasNoSamplesForNow() {
        assertThat(page(gauge("gpu_agent_nvml_down_info", 99), gauge("gpu_agent_rejected_samples", 99))
                        .samples())
                .doesNotContainValue(99.0);
    }

    @Test
    void differInMoreThanTheirSuffix() {
        PageText page = page(gauge("vertx_http_requests", 1), counter("vertx_http_requests_total", 2));

        assertThat(page.series("vertx_http_requests")).hasSize(1);
        assertThat(page.series("vertx_http_requests_total")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void areWrittenInEveryFormat(PageFormat format) {
        byte[] page = format.render(NativePage.of(
                PageSource.of(SampleSnapshots.h200(1)),
                new MetricSnapshots(counter("a_total", 1), gauge("gpu_pstate", 2))));

        assertThat(new String(page, StandardCharsets.UTF_8)).contains("\na_total 1.0\n");
    }

    private static PageText page(MetricSnapshot... more) {
        return PageText.of(NativePage.of(PageSource.of(SampleSnapshots.h200(1)), new MetricSnapshots(more)));
    }

    private static MetricSnapshot gauge(String name, double value) {
        return new GaugeSnapshot(
                new MetricMetadata(name, "A gauge"),
                List.of(new GaugeDataPointSnapshot(value, Labels.EMPTY, null, 0L)));
    }

    private static MetricSnapshot counter(String name, double value) {
        return new CounterSnapshot(
                new MetricMetadata(name, "A counter"),
                List.of(new CounterDataPointSnapshot(value, Labels.EMPTY, null, 0L)));
    }
}
