// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.SampleSnapshots;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import org.junit.jupiter.api.Test;

class FamilyFilterTest {
    @Test
    void withoutPatternsEverythingIsThere() {
        assertThat(page(FamilyFilter.ALL).text())
                .isEqualTo(PageText.of(NativePage.of(PageSource.of(SampleSnapshots.h200(1)), others()))
                        .text());
    }

    @Test
    void whatIsIncludedIsThereAlone() {
        assertThat(page(filter(List.of("gpu_power_*", "*_info"), List.of())).names())
                .containsExactlyInAnyOrder(
                        "gpu_power_watts",
                        "gpu_power_limit_watts",
                        "gpu_info",
                        "gpu_driver_info",
                        "gpu_agent_build_info");
    }

    @Test
    void whatIsExcludedIsNotThereEvenIfItIsIncluded() {
        assertThat(page(filter(List.of("gpu_power_*"), List.of("*_limit_*"))).names())
                .containsExactly("gpu_power_watts");
    }

    @Test
    void aCounterIsMeantByTheNameThatQueriesHave() {
        assertThat(page(filter(List.of("gpu_energy_joules_total", "a_b_total"), List.of()))
                        .names())
                .containsExactlyInAnyOrder("gpu_energy_joules_total", "a_b_total");
        assertThat(page(filter(List.of(), List.of("a_b_total"))).names()).doesNotContain("a_b_total");
    }

    @Test
    void aFamilyThatIsLeftOutKeepsItsName() {
        MetricSnapshots taken = new MetricSnapshots(counter("gpu_energy_joules"));

        PageText page = PageText.of(NativePage.of(
                PageSource.of(SampleSnapshots.h200(1)),
                taken,
                filter(List.of("gpu_agent_rejected_samples", "gpu_energy_*"), List.of())));

        assertThat(page.value("gpu_energy_joules_total")).isEqualTo(2606.881);
        assertThat(page.value("gpu_agent_rejected_samples", "gpu_energy_joules", "name_taken"))
                .isEqualTo(1);
    }

    private static PageText page(FamilyFilter filter) {
        return PageText.of(NativePage.of(PageSource.of(SampleSnapshots.h200(1)), others(), filter));
    }

    private static MetricSnapshots others() {
        return new MetricSnapshots(counter("a_b"));
    }

    private static CounterSnapshot counter(String name) {
        return new CounterSnapshot(
                new MetricMetadata(name, "A counter"),
                List.of(new CounterDataPointSnapshot(3, Labels.EMPTY, null, 0L)));
    }

    private static FamilyFilter filter(List<String> include, List<String> exclude) {
        return new FamilyFilter(patterns(include), patterns(exclude));
    }

    private static List<NamePattern> patterns(List<String> texts) {
        return texts.stream().map(NamePattern::new).toList();
    }
}
