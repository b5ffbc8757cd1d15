// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import io.gpuagent.control.Caller;
import io.gpuagent.control.wire.Connection;
import io.gpuagent.control.wire.Message;
import io.gpuagent.control.wire.WireException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The agent at the other end. A change goes on when the agent dies: it is told nothing more then. */
final class ConnectedCaller implements Caller {
    private static final Duration WRITE = Duration.ofSeconds(5);
    private static final Duration QUIESCE = Duration.ofSeconds(QUIESCE_SECONDS);

    private static final Duration GO_ON = Duration.ofSeconds(5);

    private final Connection connection;
    private boolean isGone;

    ConnectedCaller(Connection connection) {
        this.connection = connection;
    }

    @Override
    public void begun() {
        send(new Message.Begun());
    }

    @Override
    public void progress(String sentence) {
        send(new Message.Progress(sentence));
    }

    /** An agent that has died makes no calls any more. */
    @Override
    public boolean quiesce(List<String> gpus) {
        send(new Message.Quiesce(gpus));
        if (isGone) {
            return true;
        }
        try {
            Optional<String> line = connection.read(Connection.LONGEST_REQUEST, QUIESCE);
            if (line.isEmpty()) {
                isGone = true;
                return true;
            }
            return Message.read(line.get()) instanceof Message.Quiesced(boolean quiet) && quiet;
        } catch (WireException silentOrGarbled) {
            return false;
        } catch (IOException e) {
            isGone = true;
            return true;
        }
    }

    /** An agent that has died, or that says nothing in time, has called nothing off. */
    @Override
    public boolean goOn() {
        send(new Message.MayGoOn());
        if (isGone) {
            return true;
        }
        try {
            Optional<String> line = connection.read(Connection.LONGEST_REQUEST, GO_ON);
            if (line.isEmpty()) {
                isGone = true;
                return true;
            }
            return !(Message.read(line.get()) instanceof Message.GoOn(boolean on)) || on;
        } catch (WireException | IOException silentOrBroken) {
            // An answer that came later would be taken for one to the next question.
            isGone = true;
            return true;
        }
    }

    void send(Message message) {
        if (isGone) {
            return;
        }
        try {
            connection.write(message.line(), WRITE);
        } catch (WireException | IOException e) {
            isGone = true;
        }
    }
}
