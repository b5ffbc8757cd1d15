// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.exporters.PageFormat.OPEN_METRICS;
import static io.gpuagent.exporters.PageFormat.PROMETHEUS_TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.SampleSnapshots;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageFormatTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                // Prometheus 2.42 and 3.
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                        + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                        + "application/openmetrics-text;version=0.0.1;q=0.5,"
                        + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
                "application/openmetrics-text",
                "APPLICATION/OPENMETRICS-TEXT; VERSION=\"1.0.0\"",
                "application/*, text/plain;q=0.9",
                "text/plain;q=0, */*"
            })
    void openMetricsForWhoeverLikesItBest(String accept) {
        assertThat(PageFormat.negotiate(accept)).isEqualTo(OPEN_METRICS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "text/plain",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
                "text/plain;version=0.0.4;q=0.9,application/openmetrics-text;version=1.0.0;q=0.5",
                "application/openmetrics-text;version=1.0.0;q=0.5,text/*",
                "application/openmetrics-text;version=2.0.0",
                "application/openmetrics-text;q=0",
                "application/openmetrics-text;q=many",
                "application/openmetrics-text;q=NaN",
                "application/json",
                "nonsense,;;q=,/,///",
            })
    void textForEveryoneElse(String accept) {
        assertThat(PageFormat.negotiate(accept)).isEqualTo(PROMETHEUS_TEXT);
    }

    @Test
    void textWithoutAHeader() {
        assertThat(PageFormat.negotiate(null)).isEqualTo(PROMETHEUS_TEXT);
    }

    @Test
    void contentTypesAreThoseOfTheWriters() {
        assertThat(PROMETHEUS_TEXT.contentType()).isEqualTo(PrometheusTextFormatWriter.CONTENT_TYPE);
        assertThat(OPEN_METRICS.contentType()).isEqualTo(OpenMetricsTextFormatWriter.CONTENT_TYPE);
    }

    @Test
    void openMetricsEndsWithItsMark() {
        byte[] page = OPEN_METRICS.render(NativePage.of(SampleSnapshots.h200(1)));

        assertThat(new String(page, StandardCharsets.UTF_8))
                .endsWith("\n# EOF\n")
                .contains("# TYPE gpu info\n", "# TYPE gpu_energy_joules counter\n", "\ngpu_energy_joules_total{");
    }
}
