// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;

/**
 * A machine of a test: a copy of the {@link BaseSystem} in systemd-nspawn, with a systemd of its own as process 1. Files are
 * put in before it boots and while it runs; commands run in its namespaces as root. It sees no network and none of this
 * machine's processes. Closing it ends its process 1, and with it all that runs in it, and removes the copy.
 */
final class BootedSystem implements AutoCloseable {
    private static final Duration BOOT = Duration.ofSeconds(60);
    private static final Duration COMMAND = Duration.ofSeconds(100);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final String name;
    private final Path root;
    private final List<String> binds = new ArrayList<>();
    private Optional<Process> container = Optional.empty();
    private Optional<ProcessHandle> init = Optional.empty();

    private BootedSystem(String name, Path root) {
        this.name = name;
        this.root = root;
    }

    /** A machine that is not booted yet. */
    static BootedSystem prepare(String name) throws IOException {
        return new BootedSystem(name, BaseSystem.copy(name));
    }

    /** Where a path of the machine lies on this one, before it boots; then /run and /tmp are its own. */
    Path path(String inside) {
        return root.resolve(inside.substring(1));
    }

    /** Writes a file, with its folders. */
    void write(String inside, String text) {
        try {
            Files.createDirectories(path(inside).resolveSibling("."));
            Files.writeString(path(inside), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a file or a folder with what is directly in it; all may be read, and programs run, by everyone. */
    void copyIn(Path from, String inside) {
        try {
            if (Files.isDirectory(from)) {
                try (var files = Files.list(from)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        copyIn(file, inside + "/" + file.getFileName());
                    }
                }
                return;
            }
            Path to = path(inside);
            Files.createDirectories(to.resolveSibling("."));
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(
                    to, PosixFilePermissions.fromString(Files.isExecutable(from) ? "rwxr-xr-x" : "rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shows a folder of this machine in it, which it cannot change. */
    void bindReadOnly(Path folder, String inside) {
        binds.add("--bind-ro=" + folder + ":" + inside);
    }

    /** Boots it, and waits until systemd has started all that it starts at boot. */
    void boot() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "systemd-nspawn",
                "--quiet",
                "--directory=" + root,
                "--machine=" + name,
                "--boot",
                // There need not be a systemd on this machine.
                "--register=no",
                "--keep-unit",
                "--private-network",
                "--link-journal=no",
                "--console=pipe"));
        command.addAll(binds);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true)
                .redirectOutput(console().toFile());
        Process process = builder.start();
        container = Optional.of(process);
        Awaitility.await("the boot of " + name + ", see " + console())
                .atMost(BOOT)
                .pollInterval(LOOK)
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new AssertionError(
                                name + " ended with " + process.exitValue() + ": " + Files.readString(console()));
                    }
                    init = process.children().filter(BootedSystem::isInit).findFirst();
                    return init.isPresent()
                            && run("systemctl", "is-system-running").output().matches("(?s)(running|degraded)\\s*");
                });
    }

    private Path console() {
        return root.resolveSibling(name + ".console");
    }

    /** nspawn's child becomes it after some steps of its own. */
    private static boolean isInit(ProcessHandle child) {
        try {
            return Files.readString(Path.of("/proc/" + child.pid() + "/status"))
                            .matches("(?s).*\\nNSpid:[^\\n]*\\t1\\n.*")
                    && Files.exists(Path.of("/proc/" + child.pid() + "/root/run/systemd/system"));
        } catch (IOException gone) {
            return false;
        }
    }

    /** Runs a command in it, as root and with nothing of this process's environment. */
    Program run(String... command) {
        List<String> all = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(init.orElseThrow().pid()),
                "--all",
                "env",
                "--chdir=/",
                "--ignore-environment",
                "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                "LC_ALL=C.UTF-8"));
        all.addAll(List.of(command));
        return Program.run(all, COMMAND);
    }

    /** What a server on a Unix socket of it answers to GET, asked as root. */
    String ask(String socket, String path) throws IOException {
        Path seen = Path.of("/proc/" + init.orElseThrow().pid() + "/root" + socket);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Connecting to a Unix socket that does not block succeeds at once or not at all.
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(seen))) {
                throw new IOException(socket + " takes no connection now");
            }
            channel.write(UTF_8.encode("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
            ByteBuffer answer = ByteBuffer.allocate(1 << 20);
            long end = System.nanoTime() + ANSWER.toNanos();
            while (channel.read(answer) >= 0) {
                if (System.nanoTime() > end) {
                    throw new IOException(socket + " has not answered within " + ANSWER.toSeconds() + " s");
                }
                LockSupport.parkNanos(LOOK.toNanos() / 10);
            }
            return UTF_8.decode(answer.flip()).toString();
        }
    }

    /** A property of a unit, as systemctl shows it. */
    String property(String unit, String property) {
        return run("systemctl", "show", "--value", "--property=" + property, unit)
                .orThrow()
                .strip();
    }

    /** Waits until a unit is {@code active}, {@code failed} and so on, or in a sub-state such as {@code auto-restart}. */
    void awaitUnit(String unit, String state, Duration within) {
        Awaitility.await(unit + " to be " + state)
                .atMost(within)
                .pollInterval(LOOK)
                .untilAsserted(() -> {
                    String now = property(unit, "ActiveState") + " " + property(unit, "SubState");
                    if (!List.of(now.split(" ", -1)).contains(state)) {
                        throw new AssertionError(unit + " is " + now + "\n" + journal(unit));
                    }
                });
    }

    /** What the journal has of a unit. */
    String journal(String unit) {
        return run("journalctl", "--no-pager", "--output=cat", "--unit=" + unit).output();
    }

    @Override
    public void close() throws IOException {
        // Process 1 takes all others of its namespace along; nspawn then unmounts what it has mounted.
        init.ifPresent(ProcessHandle::destroyForcibly);
        if (container.isPresent()) {
            try {
                if (!container.get().waitFor(20, TimeUnit.SECONDS)) {
                    container.get().destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        BaseSystem.remove(root);
    }
}
