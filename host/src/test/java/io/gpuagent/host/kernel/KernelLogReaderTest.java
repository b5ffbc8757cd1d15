// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that a script plays: a read gives a record, a part of one, or an error. */
class KernelLogReaderTest {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final Heard heard = new Heard();

    /** What the listener was told, in order. */
    private static final class Heard implements KernelLogListener {
        final List<String> said = new ArrayList<>();

        @Override
        public synchronized void record(KernelLogRecord log, long ageNanos) {
            said.add(log.sequence() + (log.isFromKernel() ? "" : " by a program") + ": " + log.text()
                    + (ageNanos == 0 ? "" : ", " + Duration.ofNanos(ageNanos).toSeconds() + " s ago"));
        }

        @Override
        public synchronized void lost(long records) {
            said.add("lost " + records);
        }

        @Override
        public synchronized void broken() {
            said.add("broken");
        }

        @Override
        public synchronized void changed(KernelLogState state, String detail) {
            said.add(state + (detail.isEmpty() ? "" : ": " + detail));
        }

        synchronized List<String> all() {
            return List.copyOf(said);
        }
    }

    /** Plays reads; behind the last one it waits, as the device does, until it is closed. */
    private static final class Script implements ReadableByteChannel {
        private final BlockingQueue<Object> reads;
        private final CountDownLatch isPlayed = new CountDownLatch(1);
        private final CountDownLatch isClosed = new CountDownLatch(1);

        Script(Object... reads) {
            this.reads = new ArrayBlockingQueue<>(Math.max(1, reads.length), false, List.of(reads));
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            Object next = reads.poll();
            if (next == null) {
                isPlayed.countDown();
                try {
                    isClosed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new ClosedChannelException();
            }
            if (next instanceof IOException failure) {
                throw failure;
            }
            byte[] bytes = String.valueOf(next).getBytes(StandardCharsets.UTF_8);
            into.put(bytes);
            return bytes.length;
        }

        @Override
        public boolean isOpen() {
            return isClosed.getCount() > 0;
        }

        @Override
        public void close() {
            isClosed.countDown();
        }
    }

    private List<String> play(Object... reads) throws Exception {
        Script script = new Script(reads);
        try (KernelLogReader _ = KernelLogReader.start(() -> script, host(), heard, clock)) {
            assertThat(script.isPlayed.await(10, TimeUnit.SECONDS)).isTrue();
        }
        return heard.all();
    }

    private HostView host() {
        return new HostView(folder, Map.of(), 0);
    }

    @Test
    void recordsComeInOrderWithTheirAge() throws Exception {
        Files.createDirectories(folder.resolve("proc"));
        Files.writeString(folder.resolve("proc/uptime"), "100.25 380.00\n");
        assertThat(play("6,1,40250000,-;first\n", "6,2,99250000,-;second\n SUBSYSTEM=pci\n DEVICE=+pci:x\n"))
                .containsExactly("OPEN", "1: first, 60 s ago", "2: second, 1 s ago", "CLOSED");
    }

    @Test
    void overwrittenRecordsAreCountedAndReadingGoesOn() throws Exception {
        assertThat(play("6,100,0,-;a\n", new IOException("Broken pipe"), "6,5000,0,-;b\n"))
                .containsExactly("OPEN", "100: a", "lost 4899", "5000: b", "CLOSED");
    }

    @Test
    void brokenAndLongLinesAreLeftOut() throws Exception {
        assertThat(play(
                        "no record\n",
                        "x".repeat(10_000),
                        "x".repeat(6_384),
                        "the rest of it\n6,7,0,-;a\n",
                        "12,8,0,-;for",
                        "ged\n"))
                .containsExactly("OPEN", "broken", "broken", "7: a", "8 by a program: forged", "CLOSED");
    }

    @Test
    void aLogThatFailsForGoodIsOpenedAgainAndNothingIsTakenTwice() throws Exception {
        List<Script> scripts = new ArrayList<>();
        Object[] failing = new Object[101];
        failing[0] = "6,1,0,-;a\n";
        for (int i = 1; i < failing.length; i++) {
            failing[i] = new IOException("Input/output error");
        }
        scripts.add(new Script(failing));
        Script second = new Script("6,1,0,-;a\n", "6,2,0,-;b\n");
        scripts.add(second);
        try (KernelLogReader _ = KernelLogReader.start(scripts::removeFirst, host(), heard, clock)) {
            clock.awaitSleepers(1, Duration.ofSeconds(10));
            clock.advance(KernelLogReader.REOPEN_FIRST);
            assertThat(second.isPlayed.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(heard.all())
                .containsExactly(
                        "OPEN",
                        "1: a",
                        "FAILED: /dev/kmsg cannot be read: Input/output error; it is tried again",
                        "OPEN",
                        "2: b",
                        "CLOSED");
    }

    @Test
    void aListenerThatFailsOnARecordEndsNothing() throws Exception {
        KernelLogListener failing = new KernelLogListener() {
            @Override
            public void record(KernelLogRecord log, long ageNanos) {
                heard.record(log, ageNanos);
                if (log.sequence() == 2) {
                    throw new IllegalStateException("a fault");
                }
            }

            @Override
            public void lost(long records) {
                heard.lost(records);
            }

            @Override
            public void broken() {
                heard.broken();
            }

            @Override
            public void changed(KernelLogState state, String detail) {
                heard.changed(state, detail);
            }
        };
        String log = "6,1,0,-;a\n6,2,0,-;b\n6,3,0,-;c\n";
        Script second = new Script(log);
        List<Script> scripts = new ArrayList<>(List.of(new Script(log), second));
        try (KernelLogReader _ = KernelLogReader.start(scripts::removeFirst, host(), failing, clock)) {
            clock.awaitSleepers(1, Duration.ofSeconds(10));
            clock.advance(KernelLogReader.REOPEN_FIRST);
            assertThat(second.isPlayed.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(heard.all())
                .containsExactly(
                        "OPEN",
                        "1: a",
                        "2: b",
                        "FAILED: a record of /dev/kmsg failed in the agent itself: "
                                + "java.lang.IllegalStateException: a fault",
                        "OPEN",
                        "3: c",
                        "CLOSED");
    }

    private String refusal(IOException failure) throws Exception {
        try (KernelLogReader _ = KernelLogReader.start(
                () -> {
                    throw failure;
                },
                host(),
                heard,
                clock)) {
            clock.awaitSleepers(1, Duration.ofSeconds(10));
        }
        return heard.all().getFirst();
    }

    @Test
    void aMissingRightIsNamed() throws Exception {
        assertThat(refusal(new FileSystemException("/dev/kmsg", null, "Operation not permitted")))
                .startsWith("DENIED: /dev/kmsg may not be read")
                .contains("CAP_SYSLOG");
    }

    @Test
    void aMissingDeviceIsNamed() throws Exception {
        assertThat(refusal(new NoSuchFileException("/dev/kmsg"))).startsWith("ABSENT: there is no /dev/kmsg here");
    }
}
