// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.api.json.StatusJson;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.model.time.SystemClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The status command against servers of all kinds. */
@Timeout(60)
class StatusOverSocketIT {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    @TempDir
    Path root;

    private Path socket;
    private CommandRun command;

    @BeforeEach
    void setUp() throws IOException {
        socket = Files.createDirectories(root.resolve("run/gpu-agent")).resolve("gpu-agent.sock");
        command = new CommandRun(root).with(SystemClock.INSTANCE);
    }

    /** What a server does with a connection after it has read the request. */
    private interface Service {
        void answer(SocketChannel client) throws Exception;
    }

    @Test
    void asksTheAgentThatRuns() throws Exception {
        try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("200 OK", status(3))))) {
            assertThat(command.run("status")).isZero();
            assertThat(command.err()).isEmpty();
            assertThat(command.out()).contains(", 3 GPUs");
            assertThat(command.run("status", "--socket", socket.toString(), "--json", "2"))
                    .isZero();
            assertThat(command.out()).contains("\"index\": 2").doesNotContain("\"index\": 1");
        }
    }

    @Test
    void readsAnAnswerThatComesInPieces() throws Exception {
        byte[] body = status(8);
        Service pieces = client -> {
            send(client, "HTTP/1.1 200 OK\r\ntransfer-");
            send(client, "encoding: chunked\r\n\r\n");
            for (int from = 0; from < body.length; from += 1000) {
                int length = Math.min(1000, body.length - from);
                send(client, Integer.toHexString(length) + "\r\n");
                client.write(ByteBuffer.wrap(body, from, length));
                send(client, "\r\n");
            }
            send(client, "0\r\n\r\n");
        };
        try (ServerSocketChannel _ = serve(socket, pieces)) {
            assertThat(command.run("status")).isZero();
            assertThat(command.out()).contains(", 8 GPUs");
        }
    }

    @Test
    void theSimulationIsTheLastResort() throws Exception {
        Path simulated =
                Files.createDirectories(root.resolve("run/gpu-agent/simulated")).resolve("gpu-agent.sock");
        try (ServerSocketChannel _ = serve(simulated, client -> send(client, answer("200 OK", status(1))))) {
            assertThat(command.run("status")).isZero();
            assertThat(command.err())
                    .isEqualTo("gpu-agent: no agent reads this machine's GPUs; this is the simulation that runs at "
                            + simulated + "\n");
            try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("200 OK", status(2))))) {
                assertThat(command.run("status")).isZero();
                assertThat(command.err()).isEmpty();
                assertThat(command.out()).contains(", 2 GPUs");
            }
        }
    }

    @Test
    void aSocketThatAnAgentLeftBehindIsDead() throws Exception {
        serve(socket, client -> {}).close();
        assertThat(socket).exists();
        assertThat(command.run("status", "--socket", socket.toString())).isEqualTo(5);
        assertThat(command.err())
                .isEqualTo("gpu-agent: no agent answers: nobody listens at " + socket
                        + ", which an agent that ended left behind; start one with gpu-agent serve\n");
        assertThat(command.run("status")).isZero();
        assertThat(command.err()).contains("nobody listens at").endsWith("; read this machine once\n");
    }

    @Test
    void aSimulationThatEndedDoesNotMatter() throws Exception {
        Path simulated =
                Files.createDirectories(root.resolve("run/gpu-agent/simulated")).resolve("gpu-agent.sock");
        serve(simulated, client -> {}).close();
        assertThat(command.run("status")).isZero();
        assertThat(command.err()).isEqualTo("gpu-agent: no agent answers at " + socket + "; read this machine once\n");
    }

    @Test
    void aServerThatSaysNothingIsGivenUp() throws Exception {
        silence(client -> client.read(ByteBuffer.allocate(1)));
    }

    @Test
    void aServerThatStopsInTheMiddleIsGivenUp() throws Exception {
        silence(client -> {
            send(client, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
            client.read(ByteBuffer.allocate(1));
        });
    }

    @Test
    void aServerThatAcceptsNobodyIsGivenUp() throws Exception {
        ManualClock clock = new ManualClock();
        command.with(clock);
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket), 1);
            givesUp(clock);
        }
    }

    @Test
    void whatIsNoAgentIsSaid() throws Exception {
        try (ServerSocketChannel _ = serve(socket, client -> send(client, "SSH-2.0-OpenSSH_9.2\r\n"))) {
            garbage("its answer is not HTTP");
        }
        try (ServerSocketChannel _ = serve(socket, client -> {})) {
            garbage("it closed the connection");
        }
        byte[] page = "<html>".getBytes(StandardCharsets.UTF_8);
        try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("200 OK", page)))) {
            garbage("its answer is no JSON (HTTP status 200)");
        }
        try (ServerSocketChannel _ = serve(socket, StatusOverSocketIT::flood)) {
            garbage("its answer has more than 16 MiB");
        }
    }

    @Test
    void anotherShapeIsNoStatus() throws Exception {
        byte[] other = "{\"version\": 1}".getBytes(StandardCharsets.UTF_8);
        try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("200 OK", other)))) {
            assertThat(command.run("status", "--socket", socket.toString())).isEqualTo(5);
            assertThat(command.err())
                    .isEqualTo("gpu-agent: the agent's answer is no status: it has no gpus; use the gpu-agent command"
                            + " of its version\n");
        }
    }

    @Test
    void aRefusalIsPassedOn() throws Exception {
        byte[] problem =
                "{\"title\": \"Forbidden\", \"detail\": \"ask the operator\"}".getBytes(StandardCharsets.UTF_8);
        try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("403 Forbidden", problem)))) {
            assertThat(command.run("status")).isEqualTo(6);
            assertThat(command.err()).isEqualTo("gpu-agent: the agent at " + socket + " refused: ask the operator\n");
        }
        byte[] empty = "{}".getBytes(StandardCharsets.UTF_8);
        try (ServerSocketChannel _ = serve(socket, client -> send(client, answer("503 Busy", empty)))) {
            assertThat(command.run("status")).isEqualTo(1);
            assertThat(command.err()).endsWith(" refused: HTTP status 503\n");
        }
    }

    private void garbage(String what) throws IOException {
        assertThat(command.run("status", "--socket", socket.toString())).isEqualTo(5);
        assertThat(command.err())
                .isEqualTo("gpu-agent: what answers at " + socket + " is no gpu-agent: " + what
                        + "; name the agent's socket\n");
        Files.delete(socket);
    }

    private void silence(Service service) throws Exception {
        ManualClock clock = new ManualClock();
        command.with(clock);
        try (ServerSocketChannel _ = serve(socket, service)) {
            givesUp(clock);
        }
    }

    private void givesUp(ManualClock clock) throws Exception {
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> command.run("status"));
        clock.awaitSleepers(1, WITHIN);
        clock.advance(SocketClient.DEADLINE);
        assertThat(code.get(WITHIN.toSeconds(), TimeUnit.SECONDS)).isEqualTo(5);
        assertThat(command.err())
                .isEqualTo("gpu-agent: the agent at " + socket + " does not answer: nothing complete came within 5 s;"
                        + " look at its log, and restart it if it hangs\n");
    }

    private static ServerSocketChannel serve(Path path, Service service) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Files.deleteIfExists(path);
        server.bind(UnixDomainSocketAddress.of(path));
        Thread.ofPlatform().daemon().start(() -> {
            while (true) {
                try (SocketChannel client = server.accept()) {
                    client.read(ByteBuffer.allocate(4096));
                    service.answer(client);
                } catch (ClosedChannelException closed) {
                    return;
                } catch (Exception gone) {
                    // The client had enough; the next one may come.
                }
            }
        });
        return server;
    }

    private static byte[] status(int gpus) {
        return StatusJson.write(SampleSnapshots.h200(gpus));
    }

    private static byte[] answer(String status, byte[] body) {
        byte[] head = ("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        ByteBuffer both = ByteBuffer.allocate(head.length + body.length);
        return both.put(head).put(body).array();
    }

    private static void flood(SocketChannel client) throws IOException {
        send(client, "HTTP/1.1 200 OK\r\n\r\n");
        for (int i = 0; i < 32; i++) {
            send(client, new byte[1 << 20]);
        }
    }

    private static void send(SocketChannel client, String text) throws IOException {
        send(client, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void send(SocketChannel client, byte[] bytes) throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        while (rest.hasRemaining()) {
            client.write(rest);
        }
    }
}
