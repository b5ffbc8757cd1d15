// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The journal of the boot before, by a program that answers as journalctl does. */
class PreviousBootLogIT {
    @TempDir
    Path folder;

    private List<PreviousBootLog.Line> read(String script, Duration within) throws IOException, InterruptedException {
        Path program = folder.resolve("usr/bin/journalctl");
        Files.createDirectories(program.getParent());
        Files.writeString(program, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return PreviousBootLog.read(new HostView(folder, Map.of(), 0), within);
    }

    @Test
    void messagesComeWithTheirTime() throws Exception {
        String output = """
                1796119200.000250 node7 kernel: NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.
                1796119201.500000 node7 kernel: NVRM: The NVIDIA GPU 0000:b3:00.0
                                                NVRM: (PCI ID: 10de:26b5) installed in this system has
                -- Boot 5f8ad1a3 --
                no time node7 kernel: x
                """;
        Files.writeString(folder.resolve("output"), output);
        assertThat(read("exec cat " + folder.resolve("output"), Duration.ofSeconds(10)))
                .containsExactly(
                        new PreviousBootLog.Line(
                                Instant.ofEpochSecond(1_796_119_200L, 250_000),
                                "NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus."),
                        new PreviousBootLog.Line(
                                Instant.ofEpochSecond(1_796_119_201L, 500_000_000),
                                "NVRM: The NVIDIA GPU 0000:b3:00.0\nNVRM: (PCI ID: 10de:26b5) installed in this system has"));
    }

    @Test
    void moreThanAPipeHoldsIsRead() throws Exception {
        String script = "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); "
                + "echo \"1796119200.000000 node7 kernel: a message that is long enough to fill the pipe $i\"; done";
        assertThat(read(script, Duration.ofSeconds(60))).hasSize(3_000);
    }

    @Test
    void itIsAskedByArgumentsAlone() throws Exception {
        List<PreviousBootLog.Line> lines = read("echo \"1796119200.000000 h kernel: $*\"", Duration.ofSeconds(10));
        assertThat(lines.getFirst().text())
                .isEqualTo("--no-pager --quiet -k -b -1 -n 2000 -o short-unix SYSLOG_FACILITY=0");
    }

    @Test
    void aProgramThatHangsAndOneThatIsNotThereGiveNothing() throws Exception {
        assertThat(read("exec sleep 60", Duration.ofMillis(300))).isEmpty();
        Files.delete(folder.resolve("usr/bin/journalctl"));
        assertThat(PreviousBootLog.read(new HostView(folder, Map.of(), 0), Duration.ofSeconds(1)))
                .isEmpty();
    }
}
