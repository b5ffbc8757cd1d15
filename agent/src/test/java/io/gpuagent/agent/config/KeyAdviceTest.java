// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyAdviceTest {
    @Test
    void countsTypingErrors() {
        assertThat(KeyAdvice.distance("listen", "listen")).isZero();
        assertThat(KeyAdvice.distance("lisen", "listen")).isEqualTo(1);
        assertThat(KeyAdvice.distance("litsen", "listen")).isEqualTo(1);
        assertThat(KeyAdvice.distance("", "abc")).isEqualTo(3);
    }

    @Test
    void aShortWordIsTakenForAnotherOneOnlyWithOneError() {
        assertThat(KeyAdvice.nearest("lag", List.of("log", "poll"))).contains("log");
        assertThat(KeyAdvice.nearest("cat", List.of("log", "poll"))).isEmpty();
    }

    @Test
    void aKeyWithoutEndIsComparedWithNothing() {
        String longest = "a".repeat(64);
        assertThat(KeyAdvice.nearest(longest, List.of(longest))).contains(longest);
        assertThat(KeyAdvice.nearest(longest + "a", List.of(longest + "a"))).isEmpty();
    }
}
