// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.fake;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.Clock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.sim.SimulatedDaemon;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Programs in a folder that behave like {@code nvidia-cuda-mps-control}, its server and CUDA programs. Closing it ends
 * every process that it started; a daemon that a test starts in another way is the test's.
 */
public final class FakeMps implements AutoCloseable {
    private static final String CUDA_PROGRAM = "fake-cuda-program";

    private final Path folder;
    private final UnaryOperator<Path> seen;
    private final Properties settings = new Properties();
    private final List<Process> processes = new ArrayList<>();

    private FakeMps(Path folder, UnaryOperator<Path> seen) {
        this.folder = folder;
        this.seen = seen;
    }

    /**
     * Writes the programs.
     *
     * @param folder a folder, best one for each test
     * @return the programs
     * @throws IOException when it cannot be written to
     */
    public static FakeMps install(Path folder) throws IOException {
        return install(folder, path -> path);
    }

    /**
     * Writes the programs for another machine, such as a container whose files are below a folder of this one.
     *
     * @param folder a folder of that machine
     * @param seen where that machine has the folder, this JVM's home, and each file of its class path
     * @return the programs
     * @throws IOException when it cannot be written to
     */
    public static FakeMps install(Path folder, UnaryOperator<Path> seen) throws IOException {
        FakeMps fake = new FakeMps(Files.createDirectories(folder), seen);
        fake.launcher(ControlProgram.NAME, FakeMpsControl.class);
        fake.launcher(CUDA_PROGRAM, FakeCudaProgram.class);
        // A shell under the server's name, told to wait: it starts in 2 ms, and /proc shows it as the real one.
        Files.createSymbolicLink(folder.resolve(ControlProgram.SERVER_NAME), Path.of("/bin/bash"));
        fake.store();
        return fake;
    }

    private void launcher(String name, Class<?> main) throws IOException {
        String classPath = Stream.of(main, SimulatedDaemon.class, Clock.class, HostView.class)
                .map(FakeMps::location)
                .distinct()
                .map(path -> seen.apply(path).toString())
                .collect(Collectors.joining(":"));
        Path java = seen.apply(Path.of(System.getProperty("java.home"))).resolve("bin/java");
        Path launcher = folder.resolve(name);
        // exec -a: the process is called as it was started, as a look at /proc/PID/cmdline expects.
        Files.writeString(
                launcher,
                "#!/bin/bash\nexec -a \"$0\" '" + java + "' -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
                        + " -XX:-UsePerfData -Xmx48m -D" + FakeSettings.FOLDER + "='" + seen.apply(folder) + "' -cp '"
                        + classPath
                        + "' " + main.getName() + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path location(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The variables of a program that says it is another user's: a daemon, a command or a CUDA program.
     *
     * @param uid the user; without these variables it is the one who runs the test
     * @return the variables
     */
    public static Map<String, String> asUser(int uid) {
        return Map.of(FakeMpsControl.UID, Integer.toString(uid));
    }

    /**
     * The control program.
     *
     * @return its path
     */
    public ControlProgram program() {
        return new ControlProgram(folder.resolve(ControlProgram.NAME));
    }

    /**
     * This machine with the programs first on its PATH.
     *
     * @return the view
     */
    public HostView host() {
        HostView real = HostView.real();
        Map<String, String> environment = new HashMap<>(real.environment());
        environment.put("PATH", folder + ":" + environment.getOrDefault("PATH", "/usr/bin:/bin"));
        return new HostView(real.root(), environment, real.uid());
    }

    /**
     * Asks something of the programs, from the next command on: {@code version}; {@code hang}, {@code late} (with
     * {@code late.millis}) and {@code instead} (with {@code instead.text} and {@code instead.status}), each the beginning
     * of a command; {@code server.exit} and {@code server.failure}; {@code fault}, a device, which faults at every command and
     * every client until it is unset; and for the next daemon
     * {@code daemon.start.millis}, {@code server.start.millis}, {@code server.stop.millis} and {@code orphans}.
     *
     * @param key which
     * @param value what
     * @throws IOException when it cannot be written
     */
    public void set(String key, String value) throws IOException {
        settings.setProperty(key, value);
        store();
    }

    /**
     * Asks for it no more.
     *
     * @param key which
     * @throws IOException when it cannot be written
     */
    public void unset(String key) throws IOException {
        settings.remove(key);
        store();
    }

    private void store() throws IOException {
        Path fresh = folder.resolve(FakeSettings.FILE + ".new");
        try (Writer writer = Files.newBufferedWriter(fresh)) {
            settings.store(writer, "what the test wants");
        }
        Files.move(
                fresh,
                folder.resolve(FakeSettings.FILE),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Starts a daemon in the foreground and waits until it has written its pid, at most 10 s.
     *
     * @param folders where it lives
     * @param environment further variables, such as CUDA_VISIBLE_DEVICES
     * @param options further options, such as {@code -multiuser-server}
     * @return its process
     * @throws IOException when it does not start
     */
    public Process startDaemon(DaemonFolders folders, Map<String, String> environment, String... options)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-f"));
        arguments.addAll(List.of(options));
        // In the foreground it writes no log, but prints all of it: whoever starts it keeps that.
        Files.createDirectories(folders.log());
        Process daemon = start(
                program().path(),
                folders,
                environment,
                arguments,
                ProcessBuilder.Redirect.appendTo(folders.controlLog().toFile()));
        FakeClient.await(
                () -> isReady(folders, daemon), "a daemon in " + folders.pipe().path());
        return daemon;
    }

    private static boolean isReady(DaemonFolders folders, Process daemon) throws IOException {
        Path pidFile = folders.pipe().file(PipeDirectory.PID_FILE);
        return Files.exists(pidFile) && Files.readString(pidFile).equals(Long.toString(daemon.pid()));
    }

    /**
     * Starts a CUDA program.
     *
     * @param folders its daemon's folders
     * @param uid the user it says it is
     * @param environment further variables
     * @return the program, once it has come to the daemon
     * @throws IOException when it does not start
     */
    public FakeClient startClient(DaemonFolders folders, int uid, Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(asUser(uid));
        FakeClient client = new FakeClient(
                start(folder.resolve(CUDA_PROGRAM), folders, all, List.of(), ProcessBuilder.Redirect.PIPE));
        client.awaitState("");
        return client;
    }

    private Process start(
            Path program,
            DaemonFolders folders,
            Map<String, String> environment,
            List<String> arguments,
            ProcessBuilder.Redirect output)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString());
        builder.command().addAll(arguments);
        builder.environment().putAll(MpsEnvironment.ofCommand(host(), folders));
        builder.environment().putAll(environment);
        builder.redirectOutput(output);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        for (Process process : processes) {
            process.onExit().join();
        }
        try {
            // JUnit warns of a link that leads out of its temporary folder.
            Files.deleteIfExists(folder.resolve(ControlProgram.SERVER_NAME));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
