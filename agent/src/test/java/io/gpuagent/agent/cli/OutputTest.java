// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputTest {
    @Test
    void coloursAreForTerminalsThatWantThem() {
        assertThat(Output.colours(Map.of(), true)).isTrue();
        assertThat(Output.colours(Map.of("NO_COLOR", ""), true)).isTrue();
        assertThat(Output.colours(Map.of(), false)).isFalse();
        assertThat(Output.colours(Map.of("NO_COLOR", "1"), true)).isFalse();
        assertThat(Output.colours(Map.of("TERM", "dumb"), true)).isFalse();
    }
}
