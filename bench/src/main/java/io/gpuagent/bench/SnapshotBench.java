// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Readings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Making a snapshot of eight GPUs, which is done at most once a second. The baseline copies their readings. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class SnapshotBench {
    private PolledNode node;
    private Snapshots snapshots;
    private NodeSnapshot last;

    /** Reads eight GPUs once. */
    @Setup(Level.Trial)
    public void start() throws InterruptedException {
        node = PolledNode.simulated(8);
        snapshots = node.snapshots();
        last = snapshots.current();
    }

    /** Ends the pollers. */
    @TearDown(Level.Trial)
    public void stop() {
        node.close();
    }

    /** Copies the readings of all GPUs. */
    @Benchmark
    public List<Readings> baselineCopy() {
        List<Readings> copies = new ArrayList<>();
        for (GpuSnapshot gpu : last.gpus()) {
            copies.add(gpu.readings().toBuilder().build());
        }
        return copies;
    }

    /** Makes a snapshot. */
    @Benchmark
    public NodeSnapshot make() {
        return node.snapshots().current();
    }

    /** Takes the snapshot that is there, as all but the first request of a second do. */
    @Benchmark
    public NodeSnapshot take() {
        return snapshots.current();
    }
}
