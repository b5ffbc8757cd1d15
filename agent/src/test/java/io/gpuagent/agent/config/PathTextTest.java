// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PathTextTest {
    @Test
    void aSocketsPathHasALimit() throws BadValueException {
        String longest = "/" + "a".repeat(102);
        assertThat(PathText.socket(longest)).isEqualTo(Path.of(longest));
        // Two bytes a letter: what counts is bytes.
        assertThatThrownBy(() -> PathText.socket("/" + "\u00e4".repeat(52)))
                .hasMessageEndingWith(" has 105 bytes, too many for a socket");
    }

    @Test
    void whatIsNoPathIsRefused() {
        assertThatThrownBy(() -> PathText.absolute("a\0b")).hasMessage("\"a?b\" is no path");
        assertThatThrownBy(() -> PathText.absolute("")).hasMessage("\"\" is not absolute");
    }
}
