// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.SampleHealth;
import io.gpuagent.model.SampleMps;
import io.gpuagent.model.SampleSnapshots;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Prometheus' own linter has nothing to say about the pages. It comes with Debian's package {@code prometheus}. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class PromtoolIT {
    static Stream<PageSource> pages() {
        return Stream.concat(
                nodes().map(PageSource::of),
                Stream.of(SampleMps.none(), SampleMps.shared(), SampleMps.troubled())
                        .map(mps -> new PageSource(
                                SampleSnapshots.h200(2),
                                Optional.of(mps),
                                Optional.of(SampleHealth.ailing(SampleSnapshots.h200(2))))));
    }

    private static Stream<NodeSnapshot> nodes() {
        return Stream.of(
                SampleSnapshots.h200(8),
                SampleSnapshots.driverDown(),
                SampleSnapshots.unresponsive(),
                SampleSnapshots.migOn(),
                SampleSnapshots.migEmpty(),
                SampleSnapshots.migForbidden(),
                SampleSnapshots.workstation(),
                SampleSnapshots.oneLost(8, 3),
                SampleSnapshots.sameGpuTwice());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void findsNothing(PageSource page) throws IOException, InterruptedException {
        Process promtool = start();
        try (OutputStream input = promtool.getOutputStream()) {
            input.write(PageFormat.PROMETHEUS_TEXT.render(NativePage.of(page, new MetricSnapshots())));
        }
        String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(promtool.waitFor()).as(said).isZero();
        assertThat(said).isEmpty();
    }

    private static Process start() {
        try {
            return new ProcessBuilder("promtool", "check", "metrics")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new AssertionError("promtool is missing; install Prometheus (Debian: apt-get install prometheus)", e);
        }
    }
}
