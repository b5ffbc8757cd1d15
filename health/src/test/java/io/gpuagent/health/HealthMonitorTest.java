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
import io.gpuagent.model.health.HealthEvent;
import io.gpuagent.model.health.HealthState;
import io.gpuagent.model.health.NodeHealth;
import io.gpuagent.model.health.SourceStatus;
import io.gpuagent.model.health.XidCount;
import io.gpuagent.model.time.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole, from a record of the kernel's log to a verdict and the disk. */
class HealthMonitorTest {
    private static final String BOOT = "5f8ad1a3-8a3b-4c0e-9d5e-0d2f3c4b5a69";
    private static final NvidiaModule LOGS =
            new NvidiaModule(Optional.of("580.159.04"), Optional.of(true), Optional.empty());
    private static final Duration WAIT = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    private HealthMonitor monitor(NvidiaModule module) {
        return HealthMonitor.start(HealthStore.in(folder.resolve("health")), BOOT, () -> module, clock);
    }

    private static KernelLogRecord xid(long sequence, String rest) {
        return new KernelLogRecord(0, 4, sequence, 0, "NVRM: Xid (PCI:0000:9b:00): " + rest);
    }

    private static XidCount count(NodeHealth view, int code) {
        return view.gpus().getFirst().xids().stream()
                .filter(xid -> xid.xid() == code)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anIncidentOutlivesTheAgentAndCountsOnce() throws Exception {
        try (HealthMonitor first = monitor(LOGS)) {
            first.changed(KernelLogState.OPEN, "");
            first.record(xid(7, "48, DBE"), 0);
            assertThat(first.view().state()).isEqualTo(HealthState.CRITICAL);
        }
        try (HealthMonitor second = monitor(LOGS)) {
            second.changed(KernelLogState.OPEN, "");
            second.record(xid(7, "48, DBE"), Duration.ofSeconds(60).toNanos());
            assertThat(second.view().incidents()).hasSize(1);
            assertThat(count(second.view(), 48).count()).isEqualTo(1);
            assertThat(second.events(0)).extracting(HealthEvent::kind).startsWith(HealthEvent.Kind.OPENED);
        }
    }

    @Test
    void aLogThatTheDriverDoesNotWriteToIsNoSource() {
        try (HealthMonitor monitor =
                monitor(new NvidiaModule(Optional.of("580.159.04"), Optional.of(false), Optional.empty()))) {
            monitor.changed(KernelLogState.OPEN, "");
            assertThat(monitor.view().state()).isEqualTo(HealthState.UNKNOWN);
            assertThat(monitor.view().sources())
                    .anySatisfy(source -> assertThat(source.state()).isEqualTo(SourceStatus.State.DISABLED));
            assertThat(monitor.view().reasons().getFirst().sentence()).contains("RmLogonRC=0");
        }
    }

    @Test
    void anAcknowledgementIsStoredBeforeItIsConfirmed() throws Exception {
        try (HealthMonitor monitor = monitor(LOGS)) {
            monitor.record(xid(1, "64, remap failed"), 0);
            String id = monitor.view().incidents().getFirst().id();
            clock.awaitSleepers(1, WAIT);
            Thread mover = Thread.ofPlatform().start(() -> clock.advance(Duration.ofSeconds(1)));
            assertThat(monitor.acknowledge(id, "ops", "board ordered", WAIT)).isTrue();
            mover.join();
            assertThat(Files.readString(folder.resolve("health/events"))).contains("board ordered");
        }
    }

    @Test
    void aStoreThatCannotBeWrittenIsToldAndEverythingGoesOn() throws Exception {
        Files.writeString(folder.resolve("health"), "a file where the folder should be");
        try (HealthMonitor monitor = monitor(LOGS)) {
            monitor.changed(KernelLogState.OPEN, "");
            monitor.record(xid(1, "48, DBE"), 0);
            for (int i = 0; i < 3; i++) {
                clock.awaitSleepers(1, WAIT);
                clock.advance(Duration.ofSeconds(11));
            }
            clock.awaitSleepers(1, WAIT);
            assertThat(monitor.view().reasons())
                    .anySatisfy(reason -> assertThat(reason.code()).isEqualTo("store_degraded"));
            assertThat(monitor.view().state()).isEqualTo(HealthState.CRITICAL);

            Files.delete(folder.resolve("health"));
            clock.advance(Duration.ofSeconds(11));
            clock.awaitSleepers(1, WAIT);
            assertThat(monitor.view().reasons()).isEmpty();
        }
    }

    /** Ten thousand lines a second for a minute: counted to the last one, and hardly anything written. */
    @Test
    void aStormIsCountedExactlyAndWrittenRarely() throws Exception {
        int seconds = 60;
        int perSecond = 10_000;
        Path file = folder.resolve("health/events");
        try (HealthMonitor monitor = monitor(LOGS)) {
            monitor.changed(KernelLogState.OPEN, "");
            monitor.record(
                    new KernelLogRecord(
                            0, 4, 0, 0, "NVRM: GPU at PCI:0000:9b:00: " + "GPU-509665ad-b600-ac93-3616-d754b23d636d"),
                    0);
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
                monitor.observe(new Observation.GpuPolled(
                        monitor.now(), GpuPoll.of("GPU-509665ad-b600-ac93-3616-d754b23d636d", GpuCondition.OK)));
                if (second == 9) {
                    settled = used();
                }
            }
            long spent = System.nanoTime() - start;
            long grown = used() - settled;
            NodeHealth view = monitor.view();
            assertThat(count(view, 31).count() + count(view, 94).count()).isEqualTo((long) seconds * perSecond);
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
