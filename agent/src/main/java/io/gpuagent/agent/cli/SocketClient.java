// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import io.gpuagent.model.time.Clock;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Speaks HTTP/1.1 over a Unix socket, one request a connection; the JDK's own client has no Unix sockets. Connecting,
 * writing and reading block, and a guard closes the channel at the deadline: that is the one way to end all three.
 */
final class SocketClient {
    /** How long an answer to a question may take; a change has its own deadline. */
    static final Duration DEADLINE = Duration.ofSeconds(5);

    private final Clock clock;

    SocketClient(Clock clock) {
        this.clock = clock;
    }

    /**
     * Asks.
     *
     * @param socket the agent's socket
     * @param ask what
     * @param progress hears of what the agent says before its answer
     * @return the answer, whatever its status
     * @throws SocketFailure when there is none
     */
    HttpAnswer send(Path socket, HttpAsk ask, Consumer<String> progress) throws SocketFailure {
        checkFile(socket);
        AtomicBoolean late = new AtomicBoolean();
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            Thread guard = guard(channel, ask.deadline(), late);
            try {
                connect(channel, socket, late);
                return exchange(channel, ask, progress);
            } catch (HttpAnswer.MalformedException e) {
                throw SocketFailure.garbage(socket, e.what());
            } catch (IOException e) {
                throw late.get()
                        ? SocketFailure.silent(socket, ask.deadline().toSeconds())
                        : SocketFailure.garbage(socket, "it broke the connection off");
            } finally {
                guard.interrupt();
            }
        } catch (IOException e) {
            throw SocketFailure.garbage(socket, "the connection cannot be closed");
        }
    }

    private static void checkFile(Path socket) throws SocketFailure {
        try {
            BasicFileAttributes attributes = Files.readAttributes(socket, BasicFileAttributes.class);
            if (!attributes.isOther()) {
                throw SocketFailure.noSocket(socket);
            }
        } catch (AccessDeniedException e) {
            throw SocketFailure.denied(socket);
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw SocketFailure.absent(socket);
        } catch (IOException e) {
            throw Files.exists(socket, LinkOption.NOFOLLOW_LINKS)
                    ? SocketFailure.noSocket(socket)
                    : SocketFailure.absent(socket);
        }
    }

    private Thread guard(SocketChannel channel, Duration within, AtomicBoolean late) {
        long deadline = clock.nanos() + within.toNanos();
        return Thread.ofPlatform().daemon().name("answer-deadline").start(() -> {
            try {
                clock.sleepUntil(deadline);
                late.set(true);
                channel.close();
            } catch (InterruptedException answered) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                // The channel is unusable then, which is all that was wanted.
                late.set(true);
            }
        });
    }

    private static void connect(SocketChannel channel, Path socket, AtomicBoolean late)
            throws IOException, SocketFailure {
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            if (late.get()) {
                throw e;
            }
            // The JDK tells the reasons apart by the C library's texts alone, which follow the locale.
            throw Files.isWritable(socket) ? SocketFailure.dead(socket) : SocketFailure.denied(socket);
        }
    }

    private static HttpAnswer exchange(SocketChannel channel, HttpAsk ask, Consumer<String> progress)
            throws IOException, HttpAnswer.MalformedException {
        ByteBuffer bytes = ByteBuffer.wrap(ask.bytes());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        InputStream answer = new BufferedInputStream(Channels.newInputStream(channel));
        return HttpAnswer.read(answer, progress);
    }
}
