// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A connection within one process: lines that the agent sends are put in beforehand, or follow from what it is sent. */
public final class Pipe implements Connection {
    private final List<String> toHelper = new ArrayList<>();
    private final List<Message> toAgent = new ArrayList<>();
    private Function<Message, Optional<Message>> replies = _ -> Optional.empty();
    private boolean isSilent;
    private boolean isBroken;

    /** The agent has sent this. */
    public Pipe sent(String line) {
        toHelper.add(line);
        return this;
    }

    public Pipe sent(Message message) {
        return sent(message.line());
    }

    /** The agent answers messages in this way. */
    public Pipe replying(Function<Message, Optional<Message>> how) {
        replies = how;
        return this;
    }

    /** The agent says nothing more and stays. */
    public Pipe silent() {
        isSilent = true;
        return this;
    }

    /** From now on the agent is dead. */
    public void breakOff() {
        isBroken = true;
    }

    public List<Message> received() {
        return toAgent;
    }

    @Override
    public Optional<String> read(int longest, Duration within) throws WireException, IOException {
        if (isBroken) {
            throw new IOException("Connection reset by peer");
        }
        if (toHelper.isEmpty()) {
            if (isSilent) {
                // What a socket says at the deadline; a test need not wait for it.
                throw new WireException("no whole line came within " + within.toSeconds() + " s");
            }
            return Optional.empty();
        }
        return Optional.of(toHelper.removeFirst());
    }

    @Override
    public void write(String line, Duration within) throws WireException, IOException {
        if (isBroken) {
            throw new IOException("Broken pipe");
        }
        Message message = Message.read(line);
        toAgent.add(message);
        replies.apply(message).map(Message::line).ifPresent(toHelper::add);
    }
}
