// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.DcgmSource.OfFamily;
import io.gpuagent.exporters.DcgmSource.OfReadings;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PciAddress;
import io.gpuagent.model.ReadingKeys;
import io.prometheus.metrics.model.snapshots.Labels;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A node snapshot as dcgm-exporter would show it, in Prometheus' text format 0.0.4. client_java writes all numbers alike,
 * and counters with names of its own, so that this page is written here. Labels are escaped, which dcgm-exporter does not
 * do, and a GPU that the driver names twice is there once.
 */
public final class DcgmPage {
    /** The value of the {@code Content-Type} header: there is no such page in OpenMetrics, whose counters end in _total. */
    public static final String CONTENT_TYPE = PageFormat.PROMETHEUS_TEXT.contentType();

    private final NodeSnapshot node;
    private final DcgmStyle style;
    // By the index that the label gpu has.
    private final Map<String, GpuSnapshot> gpus = new LinkedHashMap<>();
    private final Map<String, String> labels = new HashMap<>();
    private final Map<String, SampleSet> samples = new HashMap<>();
    private final StringBuilder text = new StringBuilder();

    private DcgmPage(NodeSnapshot node, DcgmStyle style) {
        this.node = node;
        this.style = style;
        for (GpuSnapshot gpu : node.gpus()) {
            gpus.putIfAbsent(Integer.toString(gpu.identity().index()), gpu);
        }
    }

    /**
     * The page of a snapshot.
     *
     * @param node the snapshot, whose readings are aged to its time already
     * @param style which fields, and how the host is named
     * @return the page, UTF-8
     */
    public static byte[] of(NodeSnapshot node, DcgmStyle style) {
        DcgmPage page = new DcgmPage(node, style);
        style.counters().fields().forEach(page::add);
        // What is no character, such as half of a surrogate pair, becomes a question mark.
        return page.text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void add(DcgmCounters.Chosen chosen) {
        DcgmField field = chosen.field();
        Map<String, Double> values = switch (field.source()) {
            case OfFamily family -> values(family);
            case OfReadings readings -> values(readings);
        };
        if (values.isEmpty()) {
            return;
        }
        text.append("# HELP ").append(field.name()).append(' ').append(escapedHelp(chosen.help()));
        text.append("\n# TYPE ")
                .append(field.name())
                .append(' ')
                .append(field.type().word());
        gpus.forEach((index, gpu) -> {
            Double value = values.get(index);
            if (value != null) {
                text.append('\n')
                        .append(field.name())
                        .append('{')
                        .append(labels(index, gpu))
                        .append("} ");
                text.append(field.form().text(value));
            }
        });
        text.append('\n');
    }

    private Map<String, Double> values(OfFamily source) {
        SampleSet family = samples.computeIfAbsent(
                source.family(), name -> SampleSet.of(MetricCatalogue.family(name), PageSource.of(node)));
        Map<String, Double> values = new HashMap<>();
        for (Map<String, String> choice : source.choices()) {
            for (Map.Entry<Labels, Double> sample : family.values().entrySet()) {
                String gpu = sample.getKey().get("gpu");
                if (gpu != null && OfFamily.has(sample.getKey(), choice)) {
                    values.putIfAbsent(gpu, source.unit().of(sample.getValue()));
                }
            }
        }
        return values;
    }

    private Map<String, Double> values(OfReadings source) {
        Map<String, Double> values = new HashMap<>();
        gpus.forEach((index, gpu) -> source.value().apply(gpu).ifPresent(value -> values.put(index, value)));
        return values;
    }

    /** In dcgm-exporter's order, which parsers do not need but eyes do. */
    private String labels(String index, GpuSnapshot gpu) {
        return labels.computeIfAbsent(index, missing -> {
            StringBuilder all = new StringBuilder();
            add(all, "gpu", index);
            add(all, "UUID", gpu.identity().uuid());
            add(
                    all,
                    "pci_bus_id",
                    gpu.readings().value(ReadingKeys.PCI).map(PciAddress::busId).orElse(""));
            // dcgm-exporter puts DCGM's index here, not the minor number of the device file.
            add(all, "device", "nvidia" + index);
            add(all, "modelName", gpu.readings().value(ReadingKeys.NAME).orElse(""));
            if (style.namesHost()) {
                add(all, style.hostLabel(), style.host());
            }
            for (DcgmLabel label : style.counters().labels()) {
                label.value(node, gpu).ifPresent(value -> add(all, label.name(), value));
            }
            return all.toString();
        });
    }

    private static void add(StringBuilder labels, String name, String value) {
        if (!labels.isEmpty()) {
            labels.append(',');
        }
        labels.append(name).append("=\"").append(escapedLabel(value)).append('"');
    }

    private static String escapedLabel(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String escapedHelp(String help) {
        return help.replace("\\", "\\\\").replace("\n", "\\n");
    }
}
