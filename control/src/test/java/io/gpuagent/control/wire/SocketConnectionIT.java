// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.model.time.SystemClock;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketConnectionIT {
    private static final Duration AMPLE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(50);

    @TempDir
    Path folder;

    private ServerSocketChannel server;
    private SocketChannel peer;
    private SocketConnection connection;

    @BeforeEach
    void connect() throws IOException {
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                .bind(UnixDomainSocketAddress.of(folder.resolve("s")));
        peer = SocketChannel.open(server.getLocalAddress());
        connection = new SocketConnection(server.accept(), SystemClock.INSTANCE);
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        peer.close();
        server.close();
    }

    private void send(String text) throws IOException {
        peer.write(StandardCharsets.UTF_8.encode(text));
    }

    @Test
    void linesComeOneByOneHoweverTheyWereSent() throws Exception {
        send("one\ntw");
        send("o\nthreé\n");
        peer.shutdownOutput();

        assertThat(connection.read(100, AMPLE)).contains("one");
        assertThat(connection.read(100, AMPLE)).contains("two");
        assertThat(connection.read(100, AMPLE)).contains("threé");
        assertThat(connection.read(100, AMPLE)).isEmpty();
    }

    @Test
    void aLineThatIsTooLongIsNotReadToItsEnd() throws Exception {
        send("x".repeat(101));

        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> connection.read(100, AMPLE))
                .withMessage("the line is longer than 100 bytes");
    }

    @Test
    void aLineThatDoesNotEndInTimeIsGivenUp() throws Exception {
        send("half a li");

        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> connection.read(100, SHORT))
                .withMessage("no whole line came within 0 s");
    }

    @Test
    void aLineThatIsCutOffOrNoTextIsRefused() throws Exception {
        peer.write(ByteBuffer.wrap(new byte[] {(byte) 0xff, '\n', 'x'}));
        peer.close();

        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> connection.read(100, AMPLE))
                .withMessage("the line is no UTF-8");
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> connection.read(100, AMPLE))
                .withMessage("the connection ended in the middle of a line");
    }

    @Test
    void aPeerThatDoesNotReadHoldsNobodyUp() {
        String long8MiB = "x".repeat(8 << 20);

        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> connection.write(long8MiB, SHORT))
                .withMessage("nothing was read within 0 s");
    }

    @Test
    void aSocketThatNobodyServesIsNoHelper() throws Exception {
        server.close();

        Answer answer = new HelperPort(folder.resolve("s"), SystemClock.INSTANCE)
                .perform(new Request.MpsResume("pair"), Caller.silent());

        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.NO_HELPER);
            assertThat(refused.sentence()).contains("cannot be reached").contains("systemctl status");
        });
    }
}
