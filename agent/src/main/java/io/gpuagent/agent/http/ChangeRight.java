// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import java.util.Optional;

/**
 * Who may change things over the socket: root and the agent's own user. The socket's mode says who may read.
 *
 * @param ownUid the agent's user
 */
record ChangeRight(long ownUid) {
    /** Whoever asks, for the audit log; a stranger is refused. */
    Requester of(Optional<PeerUser> peer) throws ProblemException {
        PeerUser user = peer.orElseThrow(() -> ChangeProblems.of(
                RefusalCode.NOT_ALLOWED,
                "nothing is changed, since it cannot be told here who asks: the native transport of Netty does not work"
                        + " on this machine; look at the agent's log"));
        if (user.uid() != 0 && user.uid() != ownUid) {
            throw ChangeProblems.of(
                    RefusalCode.NOT_ALLOWED,
                    "user " + user.uid() + " may read and not change; run it as root or as the agent's user " + ownUid);
        }
        return new Requester(Long.toString(user.uid()), Optional.of(user.uid()), Optional.of(user.pid()));
    }
}
