// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.MpsEnvironment;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A CUDA program: connects as a client and prints what becomes of it, a line each, until it is killed or broken. */
final class FakeCudaProgram {
    /** Set: it goes on running after it broke, and SIGTERM does not end it. */
    static final String STUBBORN = "FAKE_CUDA_STUBBORN";
    /** Set: it has work on the GPU all the time. */
    static final String BUSY = "FAKE_CUDA_BUSY";

    private FakeCudaProgram() {}

    public static void main(String[] arguments) throws Exception {
        boolean stubborn = System.getenv(STUBBORN) != null;
        if (stubborn) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(FakeCudaProgram::sleepForEver));
        }
        Path socket = Path.of(System.getenv(MpsEnvironment.PIPE_DIRECTORY), PipeDirectory.CONTROL);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            introduce(new DataOutputStream(Channels.newOutputStream(channel)));
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            while (true) {
                System.out.println(in.readUTF());
            }
        } catch (IOException ended) {
            System.out.println("RPC_FAILURE 0 unlimited");
        }
        System.out.flush();
        if (stubborn) {
            sleepForEver();
        }
        Runtime.getRuntime().halt(1);
    }

    private static void introduce(DataOutputStream out) throws IOException {
        List<Map.Entry<String, String>> variables = System.getenv().entrySet().stream()
                .filter(variable -> variable.getKey().startsWith("CUDA_"))
                .toList();
        out.writeUTF("CLIENT");
        out.writeLong(ProcessHandle.current().pid());
        out.writeInt(FakeMpsControl.uid());
        out.writeBoolean(System.getenv(BUSY) != null);
        out.writeInt(variables.size());
        for (Map.Entry<String, String> variable : variables) {
            out.writeUTF(variable.getKey());
            out.writeUTF(variable.getValue());
        }
        out.flush();
    }

    private static void sleepForEver() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
