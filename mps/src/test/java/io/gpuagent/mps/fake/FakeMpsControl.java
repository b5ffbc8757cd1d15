// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.host.HostView;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.sim.Reply;
import io.gpuagent.mps.sim.SimulatedTransport;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The program: a daemon with {@code -d} or {@code -f}, else a client that carries standard input to it. */
final class FakeMpsControl {
    /** The user that a command pretends to come from. */
    static final String UID = "FAKE_MPS_UID";

    private static final String DETACHED = "FAKE_MPS_DETACHED";

    private FakeMpsControl() {}

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        String pipe = System.getenv(MpsEnvironment.PIPE_DIRECTORY);
        if (options.contains("-v")) {
            end(new Reply(SimulatedTransport.versionText(FakeSettings.load().version()), 0));
        } else if (pipe == null) {
            end(new Reply(
                    "CUDA_MPS_PIPE_DIRECTORY must be set to start or to communicate with MPS control daemon\n", 1));
        } else if (options.contains("-f") || System.getenv(DETACHED) != null) {
            end(FakeDaemon.run(options));
        } else if (options.contains("-d")) {
            end(detach(options, socket(pipe)));
        } else {
            end(command(socket(pipe)));
        }
    }

    /** Quicker than an exit: there is nothing to shut down. */
    private static void end(Reply reply) {
        System.out.print(reply.text());
        System.out.flush();
        Runtime.getRuntime().halt(reply.exitStatus());
    }

    private static Path socket(String pipe) {
        return Path.of(pipe, PipeDirectory.CONTROL);
    }

    static int uid() {
        String uid = System.getenv(UID);
        return uid == null ? HostView.real().uid() : Integer.parseInt(uid);
    }

    private static Reply command(Path socket) throws IOException {
        String input = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
            out.writeUTF("COMMAND");
            out.writeInt(uid());
            out.writeUTF(input);
            out.flush();
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            int status = in.readInt();
            return new Reply(in.readUTF(), status);
        } catch (IOException nobodyListens) {
            return Reply.NO_DAEMON;
        }
    }

    /** Starts itself once more and goes when that one answers. */
    private static Reply detach(List<String> options, Path socket) throws IOException, InterruptedException {
        if (answers(socket)) {
            return FakeDaemon.ALREADY_RUNNING;
        }
        ProcessBuilder builder = new ProcessBuilder(
                        FakeSettings.folder().resolve(ControlProgram.NAME).toString())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.command().addAll(options);
        builder.environment().put(DETACHED, "1");
        Process daemon = builder.start();
        while (daemon.isAlive()) {
            if (answers(socket)) {
                return new Reply("", 0);
            }
            Thread.sleep(10);
        }
        return FakeDaemon.ALREADY_RUNNING;
    }

    private static boolean answers(Path socket) {
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return true;
        } catch (IOException nobodyListens) {
            return false;
        }
    }
}
