// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class UserTextTest {
    @Test
    void aQuotedTextHasNothingThatATerminalWouldActUpon() {
        assertThat(UserText.quoted("plain, é and 𝄞")).isEqualTo("\"plain, é and 𝄞\"");
        assertThat(UserText.quoted("a\tb\r\nc")).isEqualTo("\"a\\tb\\r\\nc\"");
        assertThat(UserText.quoted("\033[31mred")).isEqualTo("\"\\u001b[31mred\"");
        assertThat(UserText.quoted("a\0b")).isEqualTo("\"a\\u0000b\"");
        assertThat(UserText.quoted("a" + Character.toString(0x202e) + "b"))
                .as("text that is read from the right")
                .isEqualTo("\"a\\u202eb\"");
        assertThat(UserText.quoted("a" + Character.toString(0x2028) + "b"))
                .as("a line separator")
                .isEqualTo("\"a\\u2028b\"");
        assertThat(UserText.quoted("a" + (char) 0xd800 + "b"))
                .as("half of a pair")
                .isEqualTo("\"a?b\"");
    }

    @Test
    void aTextIsShownUpToEightyCharactersAndThenAnEllipsis() {
        assertThat(UserText.quoted("x".repeat(80))).isEqualTo("\"" + "x".repeat(80) + "\"");
        assertThat(UserText.quoted("x".repeat(81))).isEqualTo("\"" + "x".repeat(80) + "...\"");
        assertThat(UserText.quoted("𝄞".repeat(80)))
                .as("a character of two units is one")
                .isEqualTo("\"" + "𝄞".repeat(80) + "\"");
        assertThat(UserText.quoted("𝄞".repeat(81))).endsWith("𝄞...\"");
    }

    @Test
    void aSentenceFromElsewhereKeepsItsLengthAndLosesItsControlCharacters() {
        String sentence = "x".repeat(300);

        assertThat(UserText.printable(sentence + "\u001b[2J\u202e\n")).isEqualTo(sentence + "?[2J??");
    }

    @Test
    void whatCannotBeReadIsNotEchoedWhole() {
        List<Function<String, Object>> parsers =
                List.of(ThreadPercentage::parse, PinnedMemoryLimit::parse, ClientPriority::parse);
        for (Function<String, Object> parser : parsers) {
            assertThatThrownBy(() -> parser.apply("\u001b[2J" + "x".repeat(5000)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .message()
                    .contains("\"\\u001b[2Jxxx")
                    .hasSizeLessThan(250);
        }
        assertThatThrownBy(() -> PinnedMemoryLimit.parse("8" + "x".repeat(5000)))
                .message()
                .hasSizeLessThan(350);
    }
}
