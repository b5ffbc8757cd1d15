// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.health.store.HealthStore;
import io.gpuagent.host.kernel.KernelLogRecord;
import io.gpuagent.host.kernel.KernelLogState;
import io.gpuagent.host.kernel.NvidiaModule;
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
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Closing wakes the writer by an interrupt, and a channel that an interrupted thread uses closes itself. */
    @Test
    void whatIsLeftIsStoredWhenTheAgentEnds() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (HealthMonitor monitor = monitor(LOGS)) {
                clock.awaitSleepers(1, WAIT);
                monitor.record(xid(i, "48, DBE"), 0);
            }
            try (HealthMonitor next = monitor(LOGS)) {
                assertThat(count(next.view(), 48).count()).isEqualTo(i + 1);
            }
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
            // Time goes on until the answer is there, so that it cannot pass by before the question.
            AtomicBoolean isAnswered = new AtomicBoolean();
            Thread time = Thread.ofPlatform().daemon().start(() -> {
                while (!isAnswered.get()) {
                    clock.advance(Duration.ofMillis(500));
                    Thread.onSpinWait();
                }
            });
            assertThat(monitor.acknowledge(id, "ops", "board ordered", Duration.ofDays(30)))
                    .isTrue();
            isAnswered.set(true);
            time.join();
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
}
