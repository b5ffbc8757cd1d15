// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScreenTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "/dev/pts/0, xterm, LIVE",
        "/dev/tty1, linux, LIVE",
        "/dev/ttyS0, vt220, LIVE",
        "/dev/console, linux, LIVE",
        "/dev/pts/12, dumb, LINES",
        "/dev/pts/12, '', LINES",
        "/dev/null, xterm, NONE",
        "/var/log/x, xterm, NONE",
        "pipe:[4711], xterm, NONE",
        "socket:[4711], xterm, NONE"
    })
    void aTerminalIsKnownByItsDescriptorAndItsName(String target, String terminal, Screen screen) throws IOException {
        Path descriptor = Files.createSymbolicLink(folder.resolve("2"), Path.of(target));

        assertThat(Screen.of(descriptor, Map.of("TERM", terminal))).isEqualTo(screen);
    }

    @Test
    void whatCannotBeToldIsNoTerminal() {
        assertThat(Screen.of(folder.resolve("2"), Map.of("TERM", "xterm"))).isEqualTo(Screen.NONE);
    }
}
