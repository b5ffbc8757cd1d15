// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.exporters.NativePage;
import io.gpuagent.exporters.PageFormat;
import io.gpuagent.model.NodeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Making the page of eight GPUs. The baseline appends the same samples, whose names and labels are ready, with their
 * values to one string: what any page of this size costs at the least.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class PageBench {
    private NodeSnapshot node;
    private MetricSnapshots families;
    private byte[] text;
    private List<Sample> samples;

    private record Sample(String series, double value) {}

    /** Takes a snapshot and makes its page once. */
    @Setup(Level.Trial)
    public void start() throws InterruptedException {
        try (PolledNode simulated = PolledNode.simulated(8)) {
            node = simulated.snapshots().current();
        }
        families = NativePage.of(node);
        text = PageFormat.PROMETHEUS_TEXT.render(families);
        samples = new String(text, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(PageBench::sample)
                .toList();
    }

    private static Sample sample(String line) {
        int space = line.lastIndexOf(' ');
        return new Sample(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
    }

    /** Appends all samples to a string. */
    @Benchmark
    public byte[] baselineConcatenation() {
        StringBuilder page = new StringBuilder();
        for (Sample sample : samples) {
            page.append(sample.series).append(' ').append(sample.value).append('\n');
        }
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** From the snapshot to families of samples, not written yet. */
    @Benchmark
    public MetricSnapshots families() {
        return NativePage.of(node);
    }

    /** From the snapshot to a page in Prometheus' text format. */
    @Benchmark
    public byte[] text() {
        return PageFormat.PROMETHEUS_TEXT.render(NativePage.of(node));
    }

    /** From the snapshot to a page in OpenMetrics. */
    @Benchmark
    public byte[] openMetrics() {
        return PageFormat.OPEN_METRICS.render(NativePage.of(node));
    }

    /** Packs a page that is there. */
    @Benchmark
    public byte[] gzip() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream(text.length / 8);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text);
        }
        return packed.toByteArray();
    }
}
