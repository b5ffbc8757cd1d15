// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.sim.ClientProgram;
import io.gpuagent.mps.sim.PipeFiles;
import io.gpuagent.mps.sim.Reply;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.sim.SimulatedDaemon;
import io.gpuagent.mps.sim.SimulatedDevice;
import io.gpuagent.mps.sim.SimulatedSetup;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The daemon's process: the simulated daemon behind a real socket. */
final class FakeDaemon {
    static final Reply ALREADY_RUNNING = new Reply("An instance of this daemon is already running\n", 1);

    private final SimulatedDaemon daemon;

    private FakeDaemon(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    /** Serves until {@code quit}; answers at once where another daemon holds the lock. */
    static Reply run(List<String> options) throws Exception {
        // The kernel keeps 15 characters, as of the real one.
        Files.writeString(Path.of("/proc/self/comm"), "nvidia-cuda-mps");
        Path pipe = Path.of(System.getenv(MpsEnvironment.PIPE_DIRECTORY));
        Path log = Path.of(System.getenv().getOrDefault(MpsEnvironment.LOG_DIRECTORY, pipe.toString()));
        DaemonFolders folders = new DaemonFolders(new PipeDirectory(pipe), log);
        Files.createDirectories(pipe);
        Files.createDirectories(log);
        try (FileChannel lockFile = FileChannel.open(
                        folders.pipe().file(PipeDirectory.CONTROL_LOCK),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = lockFile.tryLock()) {
            if (lock == null) {
                return ALREADY_RUNNING;
            }
            serve(folders, options);
        }
        return new Reply("", 0);
    }

    private static void serve(DaemonFolders folders, List<String> options) throws Exception {
        FakeSettings settings = FakeSettings.load();
        Thread.sleep(settings.millis("daemon.start.millis"));
        Files.deleteIfExists(folders.pipe().file(PipeDirectory.CONTROL));
        Files.deleteIfExists(folders.pipe().file(PipeDirectory.CONTROL_PRIVILEGED));
        Files.deleteIfExists(folders.pipe().file(PipeDirectory.LOG));
        new ProcessBuilder("mkfifo", folders.pipe().file(PipeDirectory.LOG).toString())
                .start()
                .waitFor();
        try (ServerSocketChannel control = listen(folders.pipe().file(PipeDirectory.CONTROL));
                ServerSocketChannel _ = listen(folders.pipe().file(PipeDirectory.CONTROL_PRIVILEGED))) {
            long pid = ProcessHandle.current().pid();
            PipeFiles files = new PipeFiles(folders);
            SimulatedSetup setup = SimulatedSetup.h200(folders)
                    .withVersion(settings.version())
                    .withDevices(devices())
                    .withProcess(pid, FakeMpsControl.uid())
                    .withMultiUser(options.stream().anyMatch(option -> option.matches("-M|--?multiuser-server")))
                    .withEnvironment(System.getenv())
                    .withServerTimes(settings.millis("server.start.millis"), settings.millis("server.stop.millis"));
            FakeServers servers = new FakeServers(files, control, options.contains("-f"));
            FakeDaemon fake = new FakeDaemon(new SimulatedDaemon(setup, servers, SystemClock.INSTANCE));
            servers.watchedBy(fake.daemon);
            settings.applyTo(fake.daemon);
            files.make(pid);
            Thread.ofPlatform().daemon().start(fake::tickForever);
            fake.acceptUntilClosed(control);
        }
    }

    private static List<SimulatedDevice> devices() {
        List<SimulatedDevice> devices = new ArrayList<>();
        SimulatedDevice card = SimulatedDevice.H200;
        for (String uuid : System.getenv()
                .getOrDefault(MpsEnvironment.VISIBLE_DEVICES, card.uuid())
                .split(",", -1)) {
            devices.add(
                    new SimulatedDevice(uuid, card.name(), card.pciId(), card.multiprocessors(), card.memoryBytes()));
        }
        return devices;
    }

    private static ServerSocketChannel listen(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    private void tickForever() {
        try {
            while (true) {
                Thread.sleep(10);
                daemon.tick();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptUntilClosed(ServerSocketChannel control) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try {
            while (daemon.isAlive()) {
                SocketChannel channel = control.accept();
                threads.add(Thread.ofPlatform().daemon().start(() -> serve(channel)));
                threads.removeIf(thread -> !thread.isAlive());
            }
        } catch (IOException closed) {
            // The daemon was told to quit: whoever told it still gets its answer.
        }
        for (Thread thread : threads) {
            thread.join(1000);
        }
    }

    private void serve(SocketChannel accepted) {
        try (SocketChannel channel = accepted) {
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            DataOutputStream out = new DataOutputStream(Channels.newOutputStream(channel));
            FakeSettings.load().applyTo(daemon);
            if (in.readUTF().equals("CLIENT")) {
                serveClient(in, out);
            } else {
                int uid = in.readInt();
                Reply reply = daemon.answer(in.readUTF(), uid).join();
                out.writeInt(reply.exitStatus());
                out.writeUTF(reply.text());
                out.flush();
            }
        } catch (IOException gone) {
            // A client or command that went away before its answer.
        }
    }

    /** Until the other side closes, which the kernel does for a process that was killed. */
    private void serveClient(DataInputStream in, DataOutputStream out) throws IOException {
        long pid = in.readLong();
        int uid = in.readInt();
        boolean busy = in.readBoolean();
        Map<String, String> environment = new HashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            environment.put(in.readUTF(), in.readUTF());
        }
        SimulatedClient client = daemon.join(new ClientProgram(pid, uid, "python3", environment, busy));
        Thread telling = Thread.ofPlatform().daemon().start(() -> tellStates(client, out));
        try {
            in.read();
        } finally {
            daemon.leave(pid);
            telling.interrupt();
        }
    }

    private void tellStates(SimulatedClient client, DataOutputStream out) {
        String told = "";
        try {
            while (daemon.isAlive()) {
                String memory = client.memoryLimit(0).isPresent()
                        ? Long.toString(client.memoryLimit(0).getAsLong())
                        : "unlimited";
                String state = client.state() + " " + client.multiprocessors() + " " + memory;
                if (!state.equals(told)) {
                    out.writeUTF(state);
                    out.flush();
                    told = state;
                }
                Thread.sleep(10);
            }
        } catch (IOException | InterruptedException gone) {
            Thread.currentThread().interrupt();
        }
    }
}
