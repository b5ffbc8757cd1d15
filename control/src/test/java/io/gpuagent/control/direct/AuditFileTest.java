// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.time.ManualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditFileTest {
    @TempDir
    Path folder;

    @Test
    void theLogGrowsByLinesAndIsNotForEveryone() throws Exception {
        Path log = folder.resolve("audit.log");

        new AuditFile(log, new ManualClock()).append("one\n");
        new AuditFile(log, new ManualClock()).append("two\n");

        assertThat(log).hasContent("one\ntwo\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-r-----");
    }

    @Test
    void aFullLogMakesRoomAndTheOldestGoes() throws Exception {
        Path log = folder.resolve("audit.log");
        AuditFile file = new AuditFile(log, new ManualClock(), 10);

        for (int number = 0; number < 14; number++) {
            file.append("%04d\n".formatted(number));
        }

        assertThat(log).hasContent("0012\n0013\n");
        assertThat(folder.resolve("audit.log.1")).hasContent("0010\n0011\n");
        assertThat(folder.resolve("audit.log.4")).hasContent("0004\n0005\n");
        assertThat(folder.resolve("audit.log.5")).doesNotExist();
    }

    @Test
    void aLineThatACrashCutOffDoesNotSpoilTheNext() throws Exception {
        Path log = Files.writeString(folder.resolve("audit.log"), "one\ntw");

        new AuditFile(log, new ManualClock()).append("three\n");

        assertThat(log).hasContent("one\ntw\nthree\n");
    }
}
