// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.direct.Requester;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PeerTest {
    private static UserPrincipal user(String name) throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
    }

    @Test
    void usersAreComparedByNumber() throws Exception {
        assertThat(Peer.of(user("0"), Optional.empty()).isRootOr("nobody")).isTrue();
        assertThat(Peer.of(user("daemon"), Optional.empty()).isRootOr("daemon")).isTrue();
        assertThat(Peer.of(user("daemon"), Optional.empty()).isRootOr("nobody")).isFalse();
    }

    @Test
    void anAgentUserThatDoesNotExistIsNobody() throws Exception {
        assertThat(Peer.of(user("4000000"), Optional.empty()).isRootOr("no-such-user-here"))
                .isFalse();
    }

    @Test
    void theUnitsInstanceTellsThePid() throws Exception {
        assertThat(Peer.of(user("root"), Optional.of("7-4711-0")).requester())
                .isEqualTo(new Requester("root", Optional.of(0L), Optional.of(4711L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"7-4711-1", "7", "7-4711", "x-4711-0", "7-4711-0-0", ""})
    void anInstanceThatDoesNotFitTellsNothing(String instance) throws Exception {
        assertThat(Peer.of(user("root"), Optional.of(instance)).requester())
                .isEqualTo(new Requester("root", Optional.empty(), Optional.empty()));
    }
}
