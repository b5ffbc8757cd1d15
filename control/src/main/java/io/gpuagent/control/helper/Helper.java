// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.Answer;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.wire.Connection;
import io.gpuagent.control.wire.Message;
import io.gpuagent.control.wire.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** One conversation: who is it, what do they want, what became of it. */
final class Helper {
    private static final Duration REQUEST = Duration.ofSeconds(5);

    private final String agentUser;
    private final Function<Requester, ControlPort> ports;

    /**
     * A helper.
     *
     * @param agentUser the one user beside root that may ask
     * @param ports makes the port that carries out what somebody asks
     */
    Helper(String agentUser, Function<Requester, ControlPort> ports) {
        this.agentUser = agentUser;
        this.ports = ports;
    }

    /**
     * Holds the conversation.
     *
     * @param connection to the requester
     * @param peer the requester
     */
    void serve(Connection connection, Peer peer) {
        ConnectedCaller caller = new ConnectedCaller(connection);
        caller.send(new Message.Result(answer(connection, peer, caller)));
    }

    private Answer answer(Connection connection, Peer peer, ConnectedCaller caller) {
        // Before anything of theirs is read.
        if (!peer.isRootOr(agentUser)) {
            return refused(
                    peer,
                    RefusalCode.NOT_ALLOWED,
                    "user " + peer.user().getName() + " may not have anything changed; only " + agentUser
                            + " and root may");
        }
        try {
            Optional<String> line = connection.read(Connection.LONGEST_REQUEST, REQUEST);
            if (line.isEmpty()) {
                return refused(peer, RefusalCode.BAD_REQUEST, "the connection ended without a request");
            }
            return Message.read(line.get()) instanceof Message.Ask(var request)
                    ? ports.apply(peer.requester()).perform(request, caller)
                    : refused(peer, RefusalCode.BAD_REQUEST, "the first message is no request");
        } catch (WireException e) {
            return refused(peer, RefusalCode.BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return refused(peer, RefusalCode.BAD_REQUEST, "the connection broke: " + e.getMessage());
        }
    }

    /** What never became a request goes to the journal and not to the audit log, which tells of changes. */
    private static Answer refused(Peer peer, RefusalCode code, String sentence) {
        // Few requests have anything to log, and no other one should wait until logging is ready.
        System.getLogger(Helper.class.getName())
                .log(
                        System.Logger.Level.WARNING,
                        "refused to user " + peer.user().getName()
                                + peer.requester()
                                        .pid()
                                        .map(pid -> ", process " + pid)
                                        .orElse("") + ": " + sentence);
        return new Answer.Refused(code, sentence);
    }
}
