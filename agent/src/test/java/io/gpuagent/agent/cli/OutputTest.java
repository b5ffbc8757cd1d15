// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @Test
    void coloursAreForTerminalsThatWantThem() {
        assertThat(Output.colours(Map.of(), true)).isTrue();
        assertThat(Output.colours(Map.of("NO_COLOR", ""), true)).isTrue();
        assertThat(Output.colours(Map.of(), false)).isFalse();
        assertThat(Output.colours(Map.of("NO_COLOR", "1"), true)).isFalse();
        assertThat(Output.colours(Map.of("TERM", "dumb"), true)).isFalse();
    }

    @Test
    void knowsAPipeByItsDescriptor(@TempDir Path folder) throws IOException {
        assertThat(Output.pipe(Files.createSymbolicLink(folder.resolve("1"), Path.of("pipe:[4711]"))))
                .isTrue();
        assertThat(Output.pipe(Files.createSymbolicLink(folder.resolve("2"), Path.of("socket:[4711]"))))
                .isTrue();
        assertThat(Output.pipe(Files.createSymbolicLink(folder.resolve("3"), Path.of("/dev/full"))))
                .isFalse();
        assertThat(Output.pipe(folder.resolve("4"))).isFalse();
    }
}
