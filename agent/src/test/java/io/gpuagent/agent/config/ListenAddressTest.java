// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:9836",
                "0.0.0.0:0",
                "localhost:1",
                "gpu-7.example.org:65535",
                "[::1]:9836",
                "[fe80::1%eth0]:9"
            })
    void readsAndWritesTheSame(String text) throws BadValueException {
        assertThat(ListenAddress.parse(text)).hasToString(text);
    }

    @Test
    void takesTheBracketsOff() throws BadValueException {
        assertThat(ListenAddress.parse("[::1]:9836")).isEqualTo(new ListenAddress("::1", 9836));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "9836",
                ":9836",
                "*:9836",
                "::1:9836",
                "[::1]",
                "[]:1",
                "a:",
                "a:b",
                "a:-1",
                "a:65536",
                "a:999999",
                "http://a:1",
                "a b:1",
                "-a:1",
                "a-:1",
                "a:1 ",
                "a:1\n",
                "[localhost]:x"
            })
    void refusesAllElse(String text) {
        assertThatThrownBy(() -> ListenAddress.parse(text)).isInstanceOf(BadValueException.class);
    }
}
