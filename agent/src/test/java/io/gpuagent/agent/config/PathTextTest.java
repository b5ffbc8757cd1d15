// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PathTextTest {
    @Test
    void aSocketsPathHasALimit() throws BadValueException {
        String longest = "/" + "a".repeat(100);
        assertThat(PathText.socket(longest)).isEqualTo(Path.of(longest));
        // Two bytes a letter: what counts is bytes.
        assertThatThrownBy(() -> PathText.socket("/" + "\u00e4".repeat(52)))
                .hasMessageEndingWith(" has 105 bytes, too many for a socket");
    }

    @Test
    void whatIsNoPathIsRefused() {
        assertThatThrownBy(() -> PathText.absolute("a\0b")).hasMessage("\"a\\u0000b\" is no path");
        assertThatThrownBy(() -> PathText.absolute("")).hasMessage("\"\" is not absolute");
    }

    @Test
    void whatTheLocaleCannotExpressIsSaid() {
        // Half of a surrogate pair has no bytes in any encoding, as a letter with an accent has none in the locale C.
        assertThatThrownBy(() -> PathText.absolute("/\uD800")).isInstanceOfSatisfying(BadValueException.class, e -> {
            assertThat(e.what()).endsWith(" cannot be used under this locale");
            assertThat(e.right()).isEqualTo("set LC_ALL=C.UTF-8");
        });
    }
}
