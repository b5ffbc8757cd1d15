// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.health.fold.GpuPoll;
import io.gpuagent.health.fold.Observation;
import io.gpuagent.health.store.HealthStore;
import io.gpuagent.host.kernel.KernelLogRecord;
import io.gpuagent.host.kernel.KernelLogState;
import io.gpuagent.host.kernel.NvidiaModule;
import io.gpuagent.model.GpuCondition;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.XidCount;
import io.gpuagent.model.time.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A storm of Xids on a clock that the test moves. */
class XidStormIT {
    private static final String BOOT = "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    private static final String GPU = "GPU-509665ad-b600-ac93-3616-d754b23d636d";
    private static final NvidiaModule LOGS =
            new NvidiaModule(Optional.of("580.159.04"), Optional.of(true), Optional.empty());
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int MINUTES = 5;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    private HealthMonitor monitor(NvidiaModule module) {
        return HealthMonitor.start(HealthStore.in(folder.resolve("health")), BOOT, () -> module, clock);
    }

    private static KernelLogRecord xid(long sequence, String rest) {
        return new KernelLogRecord(0, 4, sequence, 0, "NVRM: Xid (PCI:0000:9b:00): " + rest);
    }

    private static long count(NodeHealth view, int code) {
        return view.gpus().getFirst().xids().stream()
                .filter(xid -> xid.xid() == code)
                .mapToLong(XidCount::count)
                .sum();
    }

    /** Ten thousand lines a second for a minute: counted to the last one, and hardly anything written. */
    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aStormIsCountedExactlyAndWrittenRarely() throws Exception {
        int seconds = 60;
        int perSecond = 10_000;
        Path file = folder.resolve("health/events");
        try (HealthMonitor monitor = monitor(LOGS)) {
            monitor.changed(KernelLogState.OPEN, "");
            monitor.record(new KernelLogRecord(0, 4, 0, 0, "NVRM: GPU at PCI:0000:9b:00: " + GPU), 0);
            long sequence = 1;
            long start = System.nanoTime();
            long settled = 0;
            for (int second = 0; second < seconds; second++) {
                for (int i = 0; i < perSecond; i++) {
                    if (i % (perSecond / 10) == 0) {
                        clock.advance(Duration.ofMillis(100));
                        clock.awaitSleepers(1, WAIT);
                    }
                    String rest = sequence % 2 == 0
                            ? "31, pid=" + sequence + ", name=a, MMU Fault"
                            : "94, pid=" + sequence + ", name=b, Contained: CE User Channel (0x9). RST: No, D-RST: No";
                    monitor.record(xid(sequence++, rest), 0);
                }
                monitor.observe(new Observation.GpuPolled(monitor.now(), GpuPoll.of(GPU, GpuCondition.OK)));
                if (second == 9) {
                    settled = used();
                }
            }
            long spent = System.nanoTime() - start;
            long grown = used() - settled;
            NodeHealth view = monitor.view();
            assertThat(count(view, 31) + count(view, 94)).isEqualTo((long) seconds * perSecond);
            assertThat(view.incidents()).hasSize(2);
            assertThat(grown).as("bytes of heap more after 50 s of storm").isLessThan(8 * 1024 * 1024);
            long batches;
            try (var lines = Files.lines(file)) {
                batches = lines.filter(line -> line.charAt(9) == 'P').count();
            }
            assertThat(batches)
                    .as("writes in a minute")
                    .isLessThan(5L * seconds)
                    .isGreaterThan(10);
            System.out.printf(
                    "storm: %d lines in %d ms (%.1f us a line), heap %+d KiB, %d batches, %d KiB on disk%n",
                    seconds * perSecond,
                    spent / 1_000_000,
                    spent / 1e3 / seconds / perSecond,
                    grown / 1024,
                    batches,
                    Files.size(file) / 1024);
        }
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
