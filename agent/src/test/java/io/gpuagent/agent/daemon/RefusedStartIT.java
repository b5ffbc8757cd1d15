// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.agent.config.AgentException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that cannot start says why in one sentence, and leaves nothing behind. */
class RefusedStartIT {
    @TempDir
    Path folder;

    @Test
    void aSecondAgentOnTheSameFolderIsRefusedWithTheFirstOnesPid() throws Exception {
        try (ServedNode first = ServedNode.start("h200", folder)) {
            first.settle();

            assertRefused(
                    () -> ServedNode.start("h200", folder),
                    AgentException.FAILED,
                    "" + ProcessHandle.current().pid());

            assertThat(first.get("/metrics").statusCode())
                    .as("the first goes on")
                    .isEqualTo(200);
            assertThat(first.socket).exists();
        }
    }

    @Test
    void anAgentCanStartWhereAnotherHasStopped() throws Exception {
        ServedNode.start("h200", folder).close();

        try (ServedNode second = ServedNode.start("h200", folder)) {
            second.settle();
            assertThat(second.get("/-/ready").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String listen = "127.0.0.1:" + taken.getLocalPort();

            assertRefused(
                    () -> ServedNode.start("h200", folder, folder.resolve("run/gpu-agent.sock"), listen),
                    AgentException.FAILED,
                    "cannot listen on http://" + listen + ": another process listens there already");
            assertThat(folder.resolve("run/gpu-agent.sock")).doesNotExist();
            assertThat(folder.resolve("run/gpu-agent.sock.new")).doesNotExist();
        }
        ServedNode.start("h200", folder).close();
    }

    @Test
    void aHostThatIsNotThisMachineIsNamed() {
        assertRefused(
                () -> ServedNode.start("h200", folder, folder.resolve("run/gpu-agent.sock"), "no-such-host.invalid:0"),
                AgentException.FAILED,
                "cannot listen on http://no-such-host.invalid:0");
    }

    @Test
    void aDeadSocketIsReplaced() throws Exception {
        Path socket = Files.createDirectories(folder.resolve("run")).resolve("gpu-agent.sock");
        // Closing the channel leaves its file, as a killed process does.
        bind(socket).close();
        assertThat(socket).exists();

        try (ServedNode node = ServedNode.start("h200", folder)) {
            node.settle();
            assertThat(new UnixHttp(socket).get("/v1/status")).contains("\"gpus\"");
        }
    }

    @Test
    void aLiveSocketOfAnotherProgramIsLeftAlone() throws Exception {
        Path socket = Files.createDirectories(folder.resolve("elsewhere")).resolve("api.sock");
        try (ServerSocketChannel other = bind(socket)) {
            assertRefused(
                    () -> ServedNode.start("h200", folder, socket, "127.0.0.1:0"),
                    AgentException.FAILED,
                    "already answers at " + socket);
            assertThat(socket).exists();
            assertThat(other.isOpen()).isTrue();
        }
    }

    @Test
    void aFileInTheSocketsPlaceIsLeftAlone() throws Exception {
        Path file = Files.createDirectories(folder.resolve("run")).resolve("gpu-agent.sock");
        Files.writeString(file, "somebody's work");

        assertRefused(() -> ServedNode.start("h200", folder), AgentException.FAILED, "no socket is in the way");
        assertThat(file).hasContent("somebody's work");
    }

    @Test
    void aFileWhereTheSocketIsMadeIsLeftAlone() throws Exception {
        Path file = Files.createDirectories(folder.resolve("run")).resolve("gpu-agent.sock.new");
        Files.writeString(file, "somebody's work");

        assertRefused(() -> ServedNode.start("h200", folder), AgentException.FAILED, "gpu-agent.sock.new");
        assertThat(file).hasContent("somebody's work");
    }

    @Test
    void anAgentLeavesTheSocketOfItsSuccessorAlone() throws Exception {
        Path socket = Files.createDirectories(folder.resolve("shared")).resolve("api.sock");
        try (ServedNode second = successor(socket)) {
            second.settle();
            assertThat(new UnixHttp(socket).get("/v1/status")).contains("\"gpus\"");
        }
    }

    /** Starts a second agent where the first one's socket was removed, and stops the first. */
    private ServedNode successor(Path socket) throws Exception {
        try (ServedNode first = ServedNode.start("h200", folder.resolve("a"), socket, "127.0.0.1:0")) {
            first.settle();
            Files.delete(socket);
            return ServedNode.start("h200", folder.resolve("b"), socket, "127.0.0.1:0");
        }
    }

    @Test
    void stateOfTheOtherKindOfGpuIsRefused() throws Exception {
        Files.createDirectories(folder.resolve("state"));
        Files.writeString(folder.resolve("state/origin.json"), "{\"source\": \"driver\"}\n");

        assertRefused(() -> ServedNode.start("h200", folder), AgentException.FAILED, "--state-dir");
    }

    @Test
    void aFileInTheFoldersPlaceIsNamed() throws Exception {
        Files.writeString(folder.resolve("run"), "");

        assertRefused(
                () -> ServedNode.start("h200", folder),
                AgentException.FAILED,
                folder.resolve("run").toString());
    }

    private static ServerSocketChannel bind(Path socket) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(socket));
        return channel;
    }

    private static void assertRefused(ThrowingCallable start, int exitCode, String part) {
        assertThatThrownBy(start).isInstanceOfSatisfying(AgentException.class, e -> {
            assertThat(e.exitCode()).isEqualTo(exitCode);
            assertThat(e.sentence()).contains(part).doesNotContain("\n").doesNotEndWith(".");
        });
    }
}
