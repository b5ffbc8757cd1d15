// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.wire.SocketConnection;
import io.gpuagent.model.time.SystemClock;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Main class of the root helper. systemd starts it for one connection to {@code gpu-agent-priv.socket}
 * ({@code Accept=yes}), which is its standard input. Its exit status says whether it could do its work, not what came of
 * the request; that is in the answer and in the audit log.
 */
public final class HelperMain {
    private static final Duration LONGEST_STOP = Duration.ofSeconds(100);
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private HelperMain() {}

    /**
     * Serves the connection on standard input.
     *
     * @param arguments see {@link HelperOptions}
     */
    public static void main(String[] arguments) {
        start(List.of(arguments), RealPort::open);
    }

    static void start(List<String> arguments, BiFunction<HelperOptions, Requester, ControlPort> ports) {
        Runtime.getRuntime().addShutdownHook(new Thread(HelperMain::awaitChanges, "last-change"));
        int status = run(arguments, ports);
        if (status != 0) {
            System.exit(status);
        }
        // A change that has not come back yet runs on its own thread, and holds this process and its locks.
    }

    private static int run(List<String> arguments, BiFunction<HelperOptions, Requester, ControlPort> ports) {
        HelperOptions options;
        try {
            options = HelperOptions.parse(arguments);
        } catch (IllegalArgumentException e) {
            return told(WRONG_USAGE, String.valueOf(e.getMessage()));
        }
        try {
            if (!(System.inheritedChannel() instanceof SocketChannel channel)) {
                return told(
                        WRONG_USAGE,
                        "standard input is no connected socket; systemd starts this program for each connection to"
                                + " gpu-agent-priv.socket, and nobody else needs to");
            }
            try (SocketConnection connection = new SocketConnection(channel, SystemClock.INSTANCE)) {
                Peer peer = Peer.of(channel, options.instance());
                new Helper(options.agentUser(), requester -> ports.apply(options, requester)).serve(connection, peer);
                return 0;
            }
        } catch (IOException | UnsupportedOperationException e) {
            return told(FAILED, "the connection cannot be used: " + e);
        }
    }

    /** SIGTERM must not cut a change off. At a usual end there is none any more. */
    private static void awaitChanges() {
        try {
            DirectPort.awaitChanges(LONGEST_STOP);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int told(int status, String sentence) {
        System.getLogger(HelperMain.class.getName()).log(System.Logger.Level.ERROR, sentence);
        return status;
    }
}
