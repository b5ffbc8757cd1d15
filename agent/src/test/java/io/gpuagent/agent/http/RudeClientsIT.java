// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Silent, greedy and broken clients, over raw sockets. */
class RudeClientsIT {
    private static final int CAP = 4;
    private static final String POST = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n";

    private final WebRuntime web = new WebRuntime();
    private final List<Socket> open = new ArrayList<>();
    private int port;

    @BeforeEach
    void listen() throws Exception {
        Vertx vertx = web.vertx();
        HttpServer server = new ServerLimits(CAP)
                .server(vertx, exchange -> exchange.send(200, "text/plain", Buffer.buffer("hello")));
        port = web.listen(server.listen(0, "127.0.0.1"), "a port").actualPort();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        web.close(Duration.ofSeconds(5));
    }

    @Test
    void clientsThatHoldEveryConnectionDoNotLockANewOneOut() throws Exception {
        for (int i = 0; i < CAP; i++) {
            keepAlive(connect());
        }

        assertThat(ask(connect(), REQUEST + "Connection: close\r\n\r\n")).contains("hello");
        assertThat(endOf(open.getFirst())).as("the one that was silent longest").isEqualTo(-1);
    }

    @Test
    void aConnectionThatWasHeardFromKeepsItsPlace() throws Exception {
        for (int i = 0; i < CAP; i++) {
            keepAlive(connect());
        }
        keepAlive(open.getFirst());

        assertThat(ask(connect(), REQUEST + "Connection: close\r\n\r\n")).contains("hello");

        keepAlive(open.getFirst());
        assertThat(endOf(open.get(1))).as("the one that was silent longest now").isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 300000\r\n",
                "Content-Length: 300000\r\nConnection: close\r\n",
                "Transfer-Encoding: chunked\r\n",
            })
    void aBodyThatIsTooLargeIsAnsweredWith413AndTheConnectionEndsWithoutAReset(String header) throws Exception {
        Socket socket = connect();
        byte[] body = "x".repeat(300_000).getBytes(StandardCharsets.US_ASCII);
        boolean chunked = header.contains("chunked");

        OutputStream out = socket.getOutputStream();
        out.write((POST + header + "\r\n" + (chunked ? "493e0\r\n" : "")).getBytes(StandardCharsets.US_ASCII));
        out.write(body);
        out.write((chunked ? "\r\n0\r\n\r\n" : "").getBytes(StandardCharsets.US_ASCII));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

        assertThat(answer)
                .startsWith("HTTP/1.1 413 ")
                .containsIgnoringCase("content-type: application/problem+json")
                .containsIgnoringCase("connection: close")
                .contains("\"code\":\"body_too_large\"")
                .contains("the body has more than 256 KiB");
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsSent() throws Exception {
        Socket socket = connect();

        socket.getOutputStream()
                .write((POST + "Content-Length: 300000\r\nExpect: 100-continue\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));

        assertThat(statusLine(socket)).startsWith("HTTP/1.1 413 ");
    }

    @Test
    void aBodyOfTheLargestSizeIsTaken() throws Exception {
        String answer = ask(
                connect(),
                POST + "Connection: close\r\nContent-Length: " + RequestBody.MOST + "\r\n\r\n"
                        + "x".repeat(RequestBody.MOST));

        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("hello");
    }

    @Test
    void aBodyThatHasNoEndIsCutOff() throws Exception {
        Socket socket = connect();
        OutputStream out = socket.getOutputStream();
        out.write((POST + "Content-Length: 100000000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));

        // Far more than is thrown away and than any socket buffer holds: unless the server hangs up, this ends without
        // a
        // failure.
        assertThatThrownBy(() -> {
                    byte[] part = new byte[64 * 1024];
                    for (int sent = 0; sent < 100_000_000; sent += part.length) {
                        out.write(part);
                    }
                })
                .isInstanceOf(SocketException.class);
    }

    @Test
    @EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
    void aBodyThatIsTooLargeAndNeverComesCostsAConnectionForFiveSeconds() throws Exception {
        Socket socket = connect();
        long start = System.nanoTime();
        socket.getOutputStream().write((POST + "Content-Length: 300000\r\n\r\n").getBytes(StandardCharsets.US_ASCII));

        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 413 ");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(12));
    }

    @Test
    void aHeaderThatIsTooLongIsRefused() throws Exception {
        String answer = ask(connect(), REQUEST + "X-Long: " + "x".repeat(8 * 1024 + 512) + "\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 431 ")
                .containsIgnoringCase("content-type: application/problem+json")
                .contains("the header has more than 8 KiB");
    }

    @Test
    void aRequestLineThatIsTooLongIsRefused() throws Exception {
        assertThat(ask(connect(), "GET /" + "x".repeat(4 * 1024 + 512) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .contains(" 414 ")
                .contains("the request line has more than 4 KiB");
    }

    @Test
    void garbageIsRefused() throws Exception {
        assertThat(ask(connect(), "\u0001\u0002 garbage\r\n\r\n"))
                .contains(" 400 ")
                .contains("\"code\":\"malformed_request\"");
    }

    @Test
    void http2IsNotSpoken() throws Exception {
        assertThat(ask(connect(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).doesNotContain("hello");
    }

    @Test
    @EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
    void aConnectionThatStaysSilentIsClosedAfterFifteenSeconds() throws Exception {
        Socket silent = connect();
        long start = System.nanoTime();

        assertThat(endOf(silent)).isEqualTo(-1);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(25));
    }

    private static String statusLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read();
                next != '\r';
                next = socket.getInputStream().read()) {
            assertThat(next).as("still open").isNotEqualTo(-1);
            line.append((char) next);
        }
        return line.toString();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(30));
        open.add(socket);
        return socket;
    }

    /** A request on a connection that stays open. */
    private static void keepAlive(Socket socket) throws IOException {
        socket.getOutputStream().write((REQUEST + "\r\n").getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("hello")) {
            int next = socket.getInputStream().read();
            assertThat(next).as("still open").isNotEqualTo(-1);
            answer.append((char) next);
        }
    }

    private static int endOf(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read();
        } catch (SocketException e) {
            return -1; // A reset is an end, too.
        }
    }

    private static String ask(Socket socket, String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (socket) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                answer.append(new String(buffer, 0, read, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException e) {
            // The server may reset a connection that it has refused.
        }
        return answer.toString();
    }
}
