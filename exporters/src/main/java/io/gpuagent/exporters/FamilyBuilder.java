// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.MetricFamily.Collector;
import io.gpuagent.exporters.MetricFamily.Group;
import io.gpuagent.exporters.MetricFamily.Range;
import io.gpuagent.exporters.MetricFamily.Samples;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKey;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.mps.MpsNodeView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Writes a family of the catalogue down as one readable statement. */
final class FamilyBuilder {
    private final String name;
    private final MetricFamily.Type type;
    private final Group group;
    private final String help;
    private final List<FamilyLabel> labels = new ArrayList<>();
    private final Set<ReadingKey<?>> readings = new LinkedHashSet<>();
    private final List<BiConsumer<GpuSnapshot, Samples>> parts = new ArrayList<>();
    private String source = "";
    private Range range;

    private FamilyBuilder(String name, MetricFamily.Type type, Group group, String help) {
        this.name = name;
        this.type = type;
        this.group = group;
        this.help = help;
        this.range = type == MetricFamily.Type.INFO ? Range.ZERO_TO_ONE : Range.NOT_NEGATIVE;
    }

    static FamilyBuilder perGpu(String name, MetricFamily.Type type, Group group, String help) {
        return node(name, type, group, help).label("gpu").label("uuid");
    }

    static FamilyBuilder node(String name, MetricFamily.Type type, Group group, String help) {
        return new FamilyBuilder(name, type, group, help);
    }

    FamilyBuilder label(String label, String... values) {
        labels.add(new FamilyLabel(label, List.of(values)));
        return this;
    }

    <E> FamilyBuilder label(String label, E[] values, Function<E, String> name) {
        return label(label, Arrays.stream(values).map(name).toArray(String[]::new));
    }

    FamilyBuilder source(String calls) {
        this.source = calls;
        return this;
    }

    FamilyBuilder between(double min, double max) {
        this.range = new Range(min, max);
        return this;
    }

    FamilyBuilder zeroToOne() {
        this.range = Range.ZERO_TO_ONE;
        return this;
    }

    /** A sample for each GPU on which the key has a value. */
    <T> FamilyBuilder value(ReadingKey<T> key, ToDoubleFunction<? super T> number, String... labelValues) {
        return values(key, (value, samples) -> samples.add(number.applyAsDouble(value), labelValues));
    }

    /** Any number of samples for each GPU on which the key has a value. */
    <T> FamilyBuilder values(ReadingKey<T> key, BiConsumer<? super T, Samples> part) {
        return gpu((gpu, samples) -> gpu.readings().value(key).ifPresent(value -> part.accept(value, samples)), key);
    }

    /** Any number of samples for each GPU. */
    FamilyBuilder gpu(BiConsumer<GpuSnapshot, Samples> part, ReadingKey<?>... from) {
        parts.add(part);
        readings.addAll(List.of(from));
        return this;
    }

    /** The family whose samples the given parts make, GPU by GPU. */
    MetricFamily build() {
        List<BiConsumer<GpuSnapshot, Samples>> all = List.copyOf(parts);
        return from((node, samples) -> {
            for (GpuSnapshot gpu : node.gpus()) {
                Samples ofGpu = of(gpu.identity(), samples);
                for (BiConsumer<GpuSnapshot, Samples> part : all) {
                    part.accept(gpu, ofGpu);
                }
            }
        });
    }

    /** The family whose samples come from the snapshot as a whole. */
    MetricFamily from(BiConsumer<NodeSnapshot, Samples> part) {
        return family((page, samples) -> part.accept(page.node(), samples));
    }

    /** The family whose samples come from MPS; without supervision it has none. */
    MetricFamily fromMps(MpsPart part) {
        return family((page, samples) -> page.mps().ifPresent(mps -> part.collect(page.node(), mps, samples)));
    }

    /** The family whose samples come from the verdicts; where nobody gives them it has none. */
    MetricFamily fromHealth(HealthPart part) {
        return family((page, samples) -> page.health().ifPresent(health -> part.collect(page.node(), health, samples)));
    }

    private MetricFamily family(Collector collector) {
        return new MetricFamily(name, type, group, help, labels, source, readings, range, collector);
    }

    /** Makes samples of MPS; the GPUs beside it tell what a device is. */
    @FunctionalInterface
    interface MpsPart {
        void collect(NodeSnapshot node, MpsNodeView mps, Samples samples);
    }

    /** Makes samples of the verdicts; the GPUs beside them tell their indices. */
    @FunctionalInterface
    interface HealthPart {
        void collect(NodeSnapshot node, NodeHealth health, Samples samples);
    }

    /** Puts the labels that name a GPU before the others. */
    static Samples of(GpuIdentity gpu, Samples samples) {
        String index = Integer.toString(gpu.index());
        return (value, more) -> {
            String[] values = new String[more.length + 2];
            values[0] = index;
            values[1] = gpu.uuid();
            System.arraycopy(more, 0, values, 2, more.length);
            samples.add(value, values);
        };
    }
}
