// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Has requests carried out by the root helper, one connection for each; systemd starts the helper on it. */
public final class HelperPort implements ControlPort {
    /** The socket's name in the runtime folder. */
    public static final String SOCKET = "gpu-agent-priv.sock";

    // For systemd to start the helper, and for the helper to take and answer the request.
    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration WRITE = Duration.ofSeconds(5);

    private final Path socket;
    private final Clock clock;

    /**
     * The way to one helper.
     *
     * @param socket the socket of {@code gpu-agent-priv.socket}
     * @param clock the time
     */
    public HelperPort(Path socket, Clock clock) {
        this.socket = socket;
        this.clock = clock;
    }

    @Override
    public Answer perform(Request request, Caller caller) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Connecting to a Unix socket that does not block succeeds at once or not at all.
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                return unreachable("it takes no connection now");
            }
            try (SocketConnection connection = new SocketConnection(channel, clock)) {
                return converse(connection, request, caller);
            }
        } catch (IOException e) {
            return unreachable(String.valueOf(e.getMessage()));
        }
    }

    private Answer unreachable(String why) {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return new Answer.Refused(
                    RefusalCode.NO_HELPER,
                    "there is no " + socket + ", so nothing can be changed; run systemctl enable --now"
                            + " gpu-agent-priv.socket as root");
        }
        // The JDK tells the reasons apart by the C library's texts alone, which follow the locale.
        return Files.isWritable(socket)
                ? new Answer.Refused(
                        RefusalCode.NO_HELPER,
                        "the root helper cannot be reached at " + socket + ": " + why
                                + "; look at systemctl status gpu-agent-priv.socket")
                : new Answer.Refused(
                        RefusalCode.NOT_ALLOWED,
                        "this user may not use " + socket + "; only gpu-agent and root may have things changed");
    }

    /** The conversation, over a connection that is there; see the package's description. */
    Answer converse(Connection connection, Request request, Caller caller) {
        boolean begun = false;
        try {
            connection.write(new Message.Ask(request).line(), WRITE);
            long deadline = clock.nanos()
                    + request.deadline()
                            .plus(START)
                            .plusSeconds(Caller.QUIESCE_SECONDS)
                            .toNanos();
            while (true) {
                Duration left = Duration.ofNanos(Math.max(0, deadline - clock.nanos()));
                Optional<String> line = connection.read(Connection.LONGEST_LINE, left);
                if (line.isEmpty()) {
                    return broken(request, begun, "it ended without an answer");
                }
                switch (Message.read(line.get())) {
                    case Message.Result(var answer) -> {
                        return answer;
                    }
                    case Message.Begun _ -> {
                        begun = true;
                        caller.begun();
                    }
                    case Message.Progress(var sentence) -> caller.progress(sentence);
                    case Message.Quiesce(var gpus) ->
                        connection.write(new Message.Quiesced(caller.quiesce(gpus)).line(), WRITE);
                    case Message.MayGoOn _ -> connection.write(new Message.GoOn(caller.goOn()).line(), WRITE);
                    case Message.Ask _, Message.Quiesced _, Message.GoOn _ -> {
                        return broken(request, begun, "it sent what only the agent sends");
                    }
                }
            }
        } catch (WireException | IOException e) {
            return broken(request, begun, String.valueOf(e.getMessage()));
        }
    }

    private static Answer broken(Request request, boolean begun, String why) {
        return begun
                ? new Answer.Refused(
                        RefusalCode.OUTCOME_UNKNOWN,
                        "the root helper began " + request.verb() + " and gave no answer (" + why
                                + "); whether it was done is not known: look at the state and at"
                                + " /var/log/gpu-agent/audit.log before asking again")
                : new Answer.Refused(
                        RefusalCode.NO_HELPER,
                        "the root helper did not begin " + request.verb() + " (" + why
                                + "), so nothing was changed; look at journalctl -u 'gpu-agent-priv@*'");
    }
}
