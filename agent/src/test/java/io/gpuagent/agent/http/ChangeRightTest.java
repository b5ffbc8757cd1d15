// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangeRightTest {
    private static final long AGENT = 991;

    private final ChangeRight right = new ChangeRight(AGENT);

    @ParameterizedTest
    @ValueSource(longs = {0, AGENT})
    void rootAndTheAgentsOwnUserMayChange(long uid) throws Exception {
        assertThat(right.of(Optional.of(new PeerUser(uid, 42))).uid()).contains(uid);
        assertThat(right.of(Optional.of(new PeerUser(uid, 42))).pid()).contains(42L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1000, 65534, 4294967295L})
    void anyOtherUserMayOnlyRead(long uid) {
        assertThatThrownBy(() -> right.of(Optional.of(new PeerUser(uid, 42))))
                .asInstanceOf(type(ProblemException.class))
                .satisfies(refused -> {
                    assertThat(refused.problem().status()).isEqualTo(403);
                    assertThat(refused.problem().code()).isEqualTo("not_allowed");
                    assertThat(refused.problem().detail()).contains("user " + uid + " may read and not change");
                });
    }

    @Test
    void whoIsNotKnownChangesNothing() {
        assertThatThrownBy(() -> right.of(Optional.empty()))
                .asInstanceOf(type(ProblemException.class))
                .satisfies(
                        refused -> assertThat(refused.problem().detail()).contains("it cannot be told here who asks"));
    }
}
