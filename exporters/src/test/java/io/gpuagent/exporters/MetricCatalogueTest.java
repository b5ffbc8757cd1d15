// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleHealth;
import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MetricCatalogueTest {
    static final List<MetricFamily> FAMILIES = MetricCatalogue.ALL;

    @Test
    void namesWhatOthersRelyOn() {
        assertThat(FAMILIES)
                .extracting(MetricFamily::name)
                .contains(
                        "gpu_info",
                        "gpu_driver_info",
                        "gpu_utilization_ratio",
                        "gpu_memory_bytes",
                        "gpu_memory_size_bytes",
                        "gpu_power_watts",
                        "gpu_energy_joules_total",
                        "gpu_temperature_celsius",
                        "gpu_clock_hertz",
                        "gpu_clock_limited",
                        "gpu_ecc_errors_total",
                        "gpu_ecc_lifetime_errors_total",
                        "gpu_row_remap_pending",
                        "gpu_processes",
                        "gpu_mig_enabled",
                        "gpu_mig_instance_info",
                        "gpu_mig_memory_bytes",
                        "gpu_mps_control_up",
                        "gpu_mps_clients",
                        "gpu_mps_active_thread_ratio",
                        "gpu_mps_memory_limit_bytes",
                        "gpu_agent_nvml_up",
                        "gpu_agent_poll_last_success_timestamp_seconds",
                        "gpu_agent_nvml_calls_total");
    }

    @Test
    void everyReadingReachesThePage() {
        assertThat(FAMILIES.stream().flatMap(family -> family.readings().stream()))
                .containsAll(ReadingKeys.ALL);
    }

    @Test
    void aHealthyPageHasFortyFamilies() {
        assertThat(PageText.of(SampleSnapshots.h200(1)).names()).hasSizeGreaterThanOrEqualTo(40);
    }

    @Test
    void namesAreDifferentEvenWithoutTheirSuffix() {
        assertThat(FAMILIES).extracting(MetricFamily::baseName).doesNotHaveDuplicates();
    }

    @Test
    void typeAndNameAgree() {
        assertThatThrownBy(() -> FamilyBuilder.node(
                                "gpu_things", MetricFamily.Type.COUNTER, MetricFamily.Group.AGENT, "Things")
                        .build())
                .hasMessageContaining("gpu_things");
    }

    // utkuozdemir/nvidia_gpu_exporter#316: a unit made a name that no metric can have, and the exporter ended.
    @ParameterizedTest
    @FieldSource("FAMILIES")
    void readsAsADocument(MetricFamily family) {
        assertThat(family.name()).matches("gpu(_[a-z]+)+");
        assertThat(family.help()).isNotBlank().doesNotEndWith(".").doesNotContain("\n");
        assertThat(Character.isUpperCase(family.help().charAt(0))
                        || Character.isDigit(family.help().charAt(0)))
                .isTrue();
        assertThat(family.source()).isNotBlank();
        assertThat(family.labels()).extracting(FamilyLabel::name).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void givesOnlyTheLabelValuesItNames(MetricFamily family) {
        Stream.of(
                        SampleSnapshots.h200(2),
                        SampleSnapshots.driverDown(),
                        SampleSnapshots.unresponsive(),
                        SampleSnapshots.migOn(),
                        SampleSnapshots.migEmpty(),
                        SampleSnapshots.migForbidden(),
                        SampleSnapshots.workstation())
                .flatMap(node -> Stream.of(SampleMps.none(), SampleMps.shared(), SampleMps.troubled())
                        .map(mps -> new PageSource(node, Optional.of(mps), Optional.of(SampleHealth.ailing(node)))))
                .forEach(page -> family.collector().collect(page, (value, labelValues) -> {
                    assertThat(labelValues).hasSameSizeAs(family.labels());
                    for (int i = 0; i < labelValues.length; i++) {
                        List<String> known = family.labels().get(i).values();
                        assertThat(known.isEmpty() || known.contains(labelValues[i]))
                                .as("%s=%s", family.labels().get(i).name(), labelValues[i])
                                .isTrue();
                    }
                }));
    }

    @Test
    void everyFamilyButThoseOfTroubleIsOnAHealthyPage() {
        NodeSnapshot node = SampleSnapshots.h200(1);
        Map<String, String> missing = new HashMap<>();
        for (MetricFamily family : FAMILIES) {
            missing.put(family.name(), "no sample");
        }
        PageText.of(node, SampleMps.shared()).names().forEach(missing::remove);
        PageText.of(SampleSnapshots.migOn()).names().forEach(missing::remove);

        assertThat(missing.keySet())
                .containsExactlyInAnyOrder(
                        "gpu_agent_nvml_down_info",
                        "gpu_agent_nvml_call_in_flight_seconds",
                        "gpu_agent_rejected_samples",
                        "gpu_mps_pending_seconds",
                        "gpu_mps_memory_commit_ratio",
                        "gpu_mps_reasons");
    }

    @Test
    void typesOnThePageAreThoseOfTheCatalogue() {
        Map<String, String> types =
                PageText.of(SampleSnapshots.h200(2), SampleMps.troubled()).types();

        for (MetricFamily family : FAMILIES) {
            String type = family.type() == MetricFamily.Type.COUNTER ? "counter" : "gauge";
            if (types.containsKey(family.name())) {
                assertThat(types).containsEntry(family.name(), type);
            }
        }
    }

    @Test
    void aFamilysTiersAreThoseOfItsReadings() {
        MetricFamily limits = FAMILIES.stream()
                .filter(family -> family.name().equals("gpu_power_limit_watts"))
                .findFirst()
                .orElseThrow();

        assertThat(limits.readings())
                .extracting(ReadingKey::name)
                .containsExactlyInAnyOrder(
                        "power.limit.enforced", "power.limit.requested", "power.limit.default", "power.limit.range");
        assertThat(limits.tiers()).extracting(Enum::name).containsExactly("FAST", "SLOW", "STATIC");
    }
}
