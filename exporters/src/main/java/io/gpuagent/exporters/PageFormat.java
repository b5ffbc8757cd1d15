// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** How a page is written. */
public enum PageFormat {
    /** Prometheus' text format 0.0.4. */
    PROMETHEUS_TEXT("text", "plain", "0.0.4"),
    /** OpenMetrics 1.0. */
    OPEN_METRICS("application", "openmetrics-text", "1.0.0");

    private static final int TYPICAL_PAGE_BYTES = 64 * 1024;

    private final String type;
    private final String subtype;
    private final String version;

    PageFormat(String type, String subtype, String version) {
        this.type = type;
        this.subtype = subtype;
        this.version = version;
    }

    /**
     * The value of the {@code Content-Type} header.
     *
     * @return media type with version and charset
     */
    public String contentType() {
        return type + "/" + subtype + "; version=" + version + "; charset=utf-8";
    }

    /**
     * Writes a page.
     *
     * @param page the metrics
     * @return the bytes, UTF-8
     */
    public byte[] render(MetricSnapshots page) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_PAGE_BYTES);
        try {
            writer().write(bytes, page, EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // Nothing can fail in memory.
        }
        return bytes.toByteArray();
    }

    private ExpositionFormatWriter writer() {
        return switch (this) {
            case PROMETHEUS_TEXT -> PrometheusTextFormatWriter.create();
            case OPEN_METRICS -> OpenMetricsTextFormatWriter.create();
        };
    }

    /**
     * The format that a client likes best. Prometheus' text is the answer to whoever does not care, and to whoever wants
     * something that is not there: a scrape must not fail over a header.
     *
     * @param accept the value of the {@code Accept} header, or null where there is none
     * @return the format
     */
    public static PageFormat negotiate(@Nullable String accept) {
        if (accept == null) {
            return PROMETHEUS_TEXT;
        }
        AcceptHeader header = AcceptHeader.parse(accept);
        double text = header.quality(PROMETHEUS_TEXT.type, PROMETHEUS_TEXT.subtype, PROMETHEUS_TEXT.version);
        double openMetrics = header.quality(OPEN_METRICS.type, OPEN_METRICS.subtype, OPEN_METRICS.version);
        return openMetrics > text ? OPEN_METRICS : PROMETHEUS_TEXT;
    }
}
