// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import io.gpuagent.agent.config.AgentException;
import io.netty.channel.unix.Errors.NativeIoException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.net.BindException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Vert.x, as small as it goes: one event loop, and two worker threads that make pages. */
public final class WebRuntime {
    private static final Duration START = Duration.ofSeconds(10);
    // EADDRINUSE of Linux, as Netty has it (errno(3)).
    private static final int ADDRESS_IN_USE = -98;
    private static final String IN_USE =
            "another process listens there already; choose another with --listen or stop it";

    private final Vertx vertx = Vertx.vertx(new VertxOptions()
            .setEventLoopPoolSize(1)
            // Epoll tells who is at the other end of a Unix socket; where it cannot be loaded, the JDK's own is used.
            .setPreferNativeTransport(true)
            .setWorkerPoolSize(2)
            .setInternalBlockingPoolSize(2)
            .setFileSystemOptions(
                    new FileSystemOptions().setClassPathResolvingEnabled(false).setFileCachingEnabled(false)));

    /**
     * The instance.
     *
     * @return Vert.x
     */
    public Vertx vertx() {
        return vertx;
    }

    /**
     * Waits for a server to listen.
     *
     * @param listening what the server promised
     * @param where what it is to listen on, for the sentence
     * @param <T> what it answers
     * @return its answer
     * @throws AgentException when it cannot listen there
     */
    public <T> T listen(Future<T> listening, String where) throws AgentException {
        try {
            return listening.toCompletionStage().toCompletableFuture().get(START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AgentException(
                    AgentException.FAILED, "cannot listen on " + where + ": " + reason(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new AgentException(AgentException.FAILED, "cannot listen on " + where + ": it took too long", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AgentException(AgentException.FAILED, "interrupted while starting to listen on " + where, e);
        }
    }

    private static String reason(@Nullable Throwable cause) {
        return switch (cause) {
            case BindException e when String.valueOf(e.getMessage()).contains("in use") -> IN_USE;
            case NativeIoException e when e.expectedErr() == ADDRESS_IN_USE -> IN_USE;
            // "bind(..) failed with error(-13): Permission denied": what Netty calls it in front helps nobody.
            case NativeIoException e ->
                String.valueOf(e.getMessage()).replaceFirst("^\\S+ failed with error\\(-?[0-9]+\\): ", "");
            case UnknownHostException ignored -> "there is no such host; give an address or name of this machine";
            case UnresolvedAddressException ignored -> "there is no such host; give an address or name of this machine";
            case SocketException e -> String.valueOf(e.getMessage());
            case null, default -> String.valueOf(cause);
        };
    }

    /**
     * Closes all servers.
     *
     * @param within at most this long
     */
    public void close(Duration within) {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(WebRuntime.class.getName())
                    .log(System.Logger.Level.WARNING, "the servers did not close cleanly: {0}", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
