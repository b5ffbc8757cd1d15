// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.MetricFamily.Samples;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The samples of one family for one page. It takes only what the page can hold: client_java refuses a whole page for one
 * duplicate, and so a second sample with the same labels is counted here and left out.
 */
final class SampleSet implements Samples {
    private final MetricFamily family;
    private final String[] labelNames;
    private final Map<Labels, Double> values = new LinkedHashMap<>();
    private final Map<Rejection, Integer> rejected = new EnumMap<>(Rejection.class);

    SampleSet(MetricFamily family) {
        this.family = family;
        this.labelNames = family.labels().stream().map(FamilyLabel::name).toArray(String[]::new);
    }

    /** What a family has to say of a node. */
    static SampleSet of(MetricFamily family, PageSource source) {
        SampleSet samples = new SampleSet(family);
        family.collector().collect(source, samples);
        return samples;
    }

    @Override
    public void add(double value, String... labelValues) {
        if (!family.range().contains(value)) {
            rejected.merge(Rejection.OUT_OF_RANGE, 1, Integer::sum);
        } else if (values.putIfAbsent(Labels.of(labelNames, labelValues), value) != null) {
            rejected.merge(Rejection.DUPLICATE_LABELS, 1, Integer::sum);
        }
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** The values by their labels, in the order in which the family gave them. */
    Map<Labels, Double> values() {
        return values;
    }

    Map<Rejection, Integer> rejected() {
        return rejected;
    }

    MetricSnapshot snapshot() {
        // client_java adds _info by itself, and _total where it is not there yet.
        MetricMetadata metadata = new MetricMetadata(family.baseName(), family.help());
        return switch (family.type()) {
            case GAUGE ->
                new GaugeSnapshot(
                        metadata, points((labels, value) -> new GaugeDataPointSnapshot(value, labels, null, 0L)));
            case COUNTER ->
                new CounterSnapshot(
                        metadata, points((labels, value) -> new CounterDataPointSnapshot(value, labels, null, 0L)));
            case INFO -> new InfoSnapshot(metadata, points((labels, value) -> new InfoDataPointSnapshot(labels)));
        };
    }

    private <P> List<P> points(PointMaker<P> maker) {
        return values.entrySet().stream()
                .map(sample -> maker.make(sample.getKey(), sample.getValue()))
                .toList();
    }

    @FunctionalInterface
    private interface PointMaker<P> {
        P make(Labels labels, double value);
    }

    /** Why a sample is not on the page. */
    enum Rejection {
        /** Another sample has the same labels. */
        DUPLICATE_LABELS,
        /** The value cannot be true. */
        OUT_OF_RANGE,
        /** Another family has the name; each sample of the family counts. */
        NAME_TAKEN;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
