// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A real pipe, and the machine's own log. */
class KernelLogIT {
    @TempDir
    Path folder;

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final KernelLogListener listener = new KernelLogListener() {
        @Override
        public void record(KernelLogRecord log, long ageNanos) {
            said.add(log.facility() + " " + log.text());
        }

        @Override
        public void lost(long records) {
            said.add("lost " + records);
        }

        @Override
        public void broken() {
            said.add("broken");
        }

        @Override
        public void changed(KernelLogState state, String detail) {
            said.add(state + detail);
        }
    };

    private String next() throws InterruptedException {
        return String.valueOf(said.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void aPipeIsReadAsItIsWrittenAndClosingEndsAReadThatWaits() throws Exception {
        Files.createDirectories(folder.resolve("dev"));
        Path pipe = folder.resolve("dev/kmsg");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        HostView host = new HostView(folder, Map.of(), 0);
        KernelLogReader reader = KernelLogReader.start(KernelLogDevice.of(host), host, listener, SystemClock.INSTANCE);
        try (var out = Files.newOutputStream(pipe)) {
            assertThat(next()).isEqualTo("OPEN");
            out.write("4,1,0,-;one\n4,2,0,-;tw".getBytes(StandardCharsets.UTF_8));
            out.flush();
            assertThat(next()).isEqualTo("0 one");
            out.write("o\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            assertThat(next()).isEqualTo("0 two");
            long start = System.nanoTime();
            reader.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(next()).isEqualTo("CLOSED");
        }
    }

    /** Reads only. A machine whose log may not be read by this user says so; a container may have none. */
    @Test
    void theMachinesLogIsReadOrItIsSaidWhyNot() throws Exception {
        KernelLogReader reader = KernelLogReader.start(
                KernelLogDevice.of(HostView.real()), HostView.real(), listener, SystemClock.INSTANCE);
        try {
            String first = next();
            assertThat(first)
                    .satisfiesAnyOf(
                            text -> assertThat(text).isEqualTo("OPEN"),
                            text -> assertThat(text).startsWith("DENIED/dev/kmsg may not be read"),
                            text -> assertThat(text).startsWith("ABSENTthere is no /dev/kmsg"));
            if (first.equals("OPEN")) {
                assertThat(next()).matches("\\d+ (?s).*");
            }
        } finally {
            reader.close();
        }
    }

    /** The kernel gives what a program writes another facility, also where the program claims to be the kernel. */
    @Test
    @EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
    void whatAProgramWritesIsNotTheKernels() throws Exception {
        Path device = Path.of("/dev/kmsg");
        Assumptions.assumeTrue(Files.isWritable(device));
        String mark = "gpu-agent test " + ProcessHandle.current().pid();
        KernelLogReader reader = KernelLogReader.start(
                KernelLogDevice.of(HostView.real()), HostView.real(), listener, SystemClock.INSTANCE);
        try {
            // Without its end, the record would wait in the kernel for the next one.
            Files.writeString(device, "<4>" + mark + "\n");
            String record = next();
            while (!record.contains(mark)) {
                record = next();
                assertThat(record).as("the record that was written").isNotEqualTo("null");
            }
            assertThat(record).isNotEqualTo("0 " + mark).endsWith(mark);
        } finally {
            reader.close();
        }
    }
}
