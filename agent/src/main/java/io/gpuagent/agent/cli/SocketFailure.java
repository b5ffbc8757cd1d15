// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.io.Serial;
import java.nio.file.Path;

/** An agent's socket that gave no answer, and why. */
final class SocketFailure extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    SocketFailure(Kind kind, String sentence) {
        super(sentence);
        this.kind = kind;
    }

    /** The ways in which a socket fails. */
    enum Kind {
        /** There is no such file. */
        ABSENT,
        /** The file is there and nobody listens, or it is no socket. */
        DEAD,
        /** This user may not connect. */
        DENIED,
        /** Somebody listens and does not answer in time. */
        SILENT,
        /** What came is no answer of an agent. */
        GARBAGE
    }

    static SocketFailure absent(Path socket) {
        return new SocketFailure(
                Kind.ABSENT, "no agent answers: there is no socket " + socket + "; start one with gpu-agent serve");
    }

    static SocketFailure noSocket(Path socket) {
        return new SocketFailure(Kind.DEAD, "no agent answers: " + socket + " is no socket; name the agent's socket");
    }

    static SocketFailure dead(Path socket) {
        return new SocketFailure(
                Kind.DEAD,
                "no agent answers: nobody listens at " + socket
                        + ", which an agent that ended left behind; start one with gpu-agent serve");
    }

    static SocketFailure denied(Path socket) {
        return new SocketFailure(
                Kind.DENIED,
                "this user may not open " + socket
                        + "; run the command as its owner or as a member of the group gpu-agent");
    }

    static SocketFailure silent(Path socket, long seconds) {
        return new SocketFailure(
                Kind.SILENT,
                "the agent at " + socket + " does not answer: nothing complete came within " + seconds
                        + " s; look at its log, and restart it if it hangs");
    }

    static SocketFailure garbage(Path socket, String what) {
        return new SocketFailure(
                Kind.GARBAGE, "what answers at " + socket + " is no gpu-agent: " + what + "; name the agent's socket");
    }

    Kind kind() {
        return kind;
    }

    String sentence() {
        return String.valueOf(getMessage());
    }
}
