// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.SampleSet.Rejection;
import io.gpuagent.model.NodeSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A node snapshot under the agent's own metric names. A page can always be made: a sample that it cannot hold is left
 * out and counted in {@code gpu_agent_rejected_samples}.
 */
public final class NativePage {
    private final PageSource source;
    private final FamilyFilter wanted;
    private final List<MetricSnapshot> page = new ArrayList<>();
    private final Set<String> baseNames = new HashSet<>();
    // By the values of the labels metric and why.
    private final Map<List<String>, Integer> rejected = new LinkedHashMap<>();

    private NativePage(PageSource source, FamilyFilter wanted) {
        this.source = source;
        this.wanted = wanted;
    }

    /**
     * The page of a snapshot.
     *
     * @param node the snapshot, whose readings are aged to its time already
     * @return the families that have samples
     */
    public static MetricSnapshots of(NodeSnapshot node) {
        return of(PageSource.of(node), new MetricSnapshots());
    }

    /**
     * A page together with other metrics.
     *
     * @param source what is known of the node
     * @param more other metrics, such as those of the JVM; one whose name is taken is left out
     * @return the families that have samples
     */
    public static MetricSnapshots of(PageSource source, MetricSnapshots more) {
        return of(source, more, FamilyFilter.ALL);
    }

    /**
     * A page with some of the families only.
     *
     * @param source what is known of the node
     * @param more other metrics, such as those of the JVM; one whose name is taken is left out
     * @param wanted which families, of both
     * @return the families that are wanted and have samples
     */
    public static MetricSnapshots of(PageSource source, MetricSnapshots more, FamilyFilter wanted) {
        NativePage made = new NativePage(source, wanted);
        MetricCatalogue.ALL.forEach(made::add);
        more.forEach(made::add);
        made.addRejected();
        return new MetricSnapshots(made.page);
    }

    private void add(MetricFamily family) {
        // Taken even while it has no samples: a name must not change its meaning from page to page.
        baseNames.add(family.baseName());
        if (!wanted.admits(family.name())) {
            return;
        }
        SampleSet samples = SampleSet.of(family, source);
        samples.rejected().forEach((why, count) -> reject(family.name(), why, count));
        if (!samples.isEmpty()) {
            page.add(samples.snapshot());
        }
    }

    private void add(MetricSnapshot other) {
        String name = other.getMetadata().getPrometheusName();
        if (!wanted.admits(queryName(other))) {
            return;
        }
        if (baseNames.add(MetricFamily.baseName(name))) {
            page.add(other);
        } else {
            reject(name, Rejection.NAME_TAKEN, other.getDataPoints().size());
        }
    }

    /** client_java keeps a counter's name without the suffix that the page shows. */
    private static String queryName(MetricSnapshot other) {
        String name = other.getMetadata().getPrometheusName();
        return switch (other) {
            case CounterSnapshot _ -> name + "_total";
            case InfoSnapshot _ -> name + "_info";
            default -> name;
        };
    }

    private void reject(String metric, Rejection why, int count) {
        rejected.merge(List.of(metric, why.label()), count, Integer::sum);
    }

    private void addRejected() {
        if (!wanted.admits(AgentFamilies.REJECTED.name())) {
            return;
        }
        SampleSet samples = new SampleSet(AgentFamilies.REJECTED);
        rejected.forEach((labels, count) -> samples.add(count, labels.toArray(String[]::new)));
        if (!samples.isEmpty()) {
            page.add(samples.snapshot());
        }
    }
}
