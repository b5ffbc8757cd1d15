// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileNamesTest {
    private static final Map<String, MigCard> CARDS =
            Map.of("H200", Cards.H200, "A30", Cards.A30, "RTX", Cards.RTX_PRO_6000);

    @ParameterizedTest
    @CsvSource(textBlock = """
            H200, 3g.71gb,        3g.71gb
            H200, MIG 1g.18gb+me, 1g.18gb+me
            H200, 1g.18gb.me,     1g.18gb+me
            H200, 1G.18GB+ME,     1g.18gb+me
            H200, ' 7g ',         7g.141gb
            H200, 1g+me,          1g.18gb+me
            H200, id:9,           3g.71gb
            H200, ID:0,           7g.141gb
            A30,  2g,             2g.12gb
            A30,  id:14,          1g.6gb
            RTX,  1g.24gb.me.all, 1g.24gb+me.all
            RTX,  1g-me,          1g.24gb-me
            RTX,  1g,             1g.24gb
            """)
    void namesAreUnderstood(String card, String text, String profile) throws MigRequestException {
        assertThat(new ProfileNames(CARDS.get(card)).resolve(text).name()).isEqualTo(profile);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            H200 | 1g          | "1g" can be several profiles of this GPU; write 1g.35gb or 1g.18gb
            H200 | 3g.70gb     | this GPU has no profile "3g.70gb"; did you mean 3g.71gb? It has 7g.141gb, 4g.71gb, 3g.71gb, 2g.35gb, 1g.35gb, 1g.18gb and 1g.18gb+me
            H200 | 1g.18gbme   | this GPU has no profile "1g.18gbme"; did you mean 1g.18gb+me? It has 7g.141gb, 4g.71gb, 3g.71gb, 2g.35gb, 1g.35gb, 1g.18gb and 1g.18gb+me
            A30  | everything  | this GPU has no profile "everything"; it has 4g.24gb, 2g.12gb, 2g.12gb+me, 1g.6gb and 1g.6gb+me
            H200 | 1c.2g.35gb  | "1c.2g.35gb" is a compute instance; write {profile: 2g.35gb, compute: [1c.2g.35gb]}
            H200 | id:14x      | this GPU has no profile "id:14x"; it has 7g.141gb, 4g.71gb, 3g.71gb, 2g.35gb, 1g.35gb, 1g.18gb and 1g.18gb+me
            A30  | id:19       | this GPU has no profile with "id:19"; its ids are 0 (4g.24gb), 5 (2g.12gb), 6 (2g.12gb+me), 14 (1g.6gb) and 21 (1g.6gb+me)
            A30  | ''          | this GPU has no profile ""; it has 4g.24gb, 2g.12gb, 2g.12gb+me, 1g.6gb and 1g.6gb+me
            """)
    void anotherNameGetsOneSentence(String card, String text, String sentence) {
        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> new ProfileNames(CARDS.get(card)).resolve(text))
                .withMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource({"'\u001B[31mred', '?[31mred'"})
    void whatTheUserWroteCannotPaintTheTerminal(String text, String shown) {
        assertThatExceptionOfType(MigRequestException.class)
                .isThrownBy(() -> new ProfileNames(Cards.A30).resolve(text))
                .withMessageContaining('"' + shown + '"');
    }
}
