// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.SampleHealth;
import io.gpuagent.model.mps.MpsNodeView;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rendered page, read the way a scraper reads it.
 *
 * @param text the page
 */
record PageText(String text) {
    static PageText of(NodeSnapshot node) {
        return of(NativePage.of(node));
    }

    static PageText of(NodeSnapshot node, MpsNodeView mps) {
        return of(NativePage.of(
                new PageSource(node, Optional.of(mps), Optional.of(SampleHealth.ailing(node))), new MetricSnapshots()));
    }

    static PageText of(MetricSnapshots page) {
        return new PageText(new String(PageFormat.PROMETHEUS_TEXT.render(page), StandardCharsets.UTF_8));
    }

    /** Values by series, as they stand in the text: {@code name{label="value"}}. */
    Map<String, Double> samples() {
        Map<String, Double> samples = new LinkedHashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int space = line.lastIndexOf(' ');
            Double before = samples.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            assertThat(before).as("second sample of %s", line).isNull();
        });
        return samples;
    }

    /** The series of a family that have all the given parts, such as {@code gpu="0"}. */
    List<String> series(String family, String... parts) {
        return samples().keySet().stream()
                .filter(series -> series.equals(family) || series.startsWith(family + "{"))
                .filter(series -> Stream.of(parts).allMatch(series::contains))
                .toList();
    }

    /** The value of the one series of a family that has all the given parts. */
    double value(String family, String... parts) {
        List<String> series = series(family, parts);
        assertThat(series).as("%s with %s", family, List.of(parts)).hasSize(1);
        return samples().get(series.getFirst());
    }

    /** The families of the page by name, with their type. */
    Map<String, String> types() {
        return text.lines()
                .filter(line -> line.startsWith("# TYPE "))
                .map(line -> line.split(" ", -1))
                .collect(Collectors.toMap(words -> words[2], words -> words[3]));
    }

    Set<String> names() {
        return types().keySet();
    }
}
