// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import io.gpuagent.model.time.Clock;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** A connection over a stream socket. Never blocks beyond a deadline, since the channel itself does not block. */
public final class SocketConnection implements Connection, Closeable {
    private static final int BUFFER = 16 * 1024;

    private final SocketChannel channel;
    private final Clock clock;
    private final Selector selector;
    private final SelectionKey key;
    private final ByteBuffer received = ByteBuffer.allocate(BUFFER).flip();

    /**
     * Takes a connected channel over.
     *
     * @param channel the channel, closed with this connection
     * @param clock measures the deadlines
     * @throws IOException when the channel is closed already
     */
    public SocketConnection(SocketChannel channel, Clock clock) throws IOException {
        this.channel = channel;
        this.clock = clock;
        channel.configureBlocking(false);
        selector = channel.provider().openSelector();
        key = channel.register(selector, 0);
    }

    @Override
    public Optional<String> read(int longest, Duration within) throws WireException, IOException {
        long deadline = clock.nanos() + within.toNanos();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            while (received.hasRemaining()) {
                byte next = received.get();
                if (next == '\n') {
                    return Optional.of(decode(line.toByteArray()));
                }
                if (line.size() == longest) {
                    throw new WireException("the line is longer than " + longest + " bytes");
                }
                line.write(next);
            }
            received.clear();
            int count = channel.read(received);
            received.flip();
            if (count < 0) {
                if (line.size() > 0) {
                    throw new WireException("the connection ended in the middle of a line");
                }
                return Optional.empty();
            }
            if (count == 0) {
                await(SelectionKey.OP_READ, deadline, "no whole line came within " + within.toSeconds() + " s");
            }
        }
    }

    private static String decode(byte[] bytes) throws WireException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new WireException("the line is no UTF-8", e);
        }
    }

    @Override
    public void write(String line, Duration within) throws WireException, IOException {
        long deadline = clock.nanos() + within.toNanos();
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                await(SelectionKey.OP_WRITE, deadline, "nothing was read within " + within.toSeconds() + " s");
            }
        }
    }

    private void await(int operation, long deadline, String late) throws WireException, IOException {
        long left = (deadline - clock.nanos()) / 1_000_000;
        if (left <= 0) {
            throw new WireException(late);
        }
        key.interestOps(operation);
        selector.select(left);
        selector.selectedKeys().clear();
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            selector.close();
        }
    }
}
