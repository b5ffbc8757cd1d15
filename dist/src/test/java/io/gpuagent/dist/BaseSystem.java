// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A small Debian with systemd and nothing else, as debootstrap makes it. It is made once, in half a minute, and copied for
 * each machine; {@code mvn clean} takes it away.
 */
final class BaseSystem {
    private static final Path SYSTEMS = Path.of("target/systems").toAbsolutePath();
    private static final String RELEASE = "bookworm";

    private BaseSystem() {}

    /** A fresh copy of it, which the caller removes. */
    static Path copy(String name) throws IOException {
        Path base = made();
        Path copy = SYSTEMS.resolve(name);
        remove(copy);
        Program.run(
                        List.of("cp", "--archive", "--reflink=auto", base.toString(), copy.toString()),
                        Duration.ofMinutes(1))
                .orThrow();
        return copy;
    }

    private static synchronized Path made() throws IOException {
        Path base = SYSTEMS.resolve(RELEASE);
        if (!Files.isDirectory(base)) {
            Path fresh = SYSTEMS.resolve(RELEASE + ".new");
            remove(fresh);
            Files.createDirectories(SYSTEMS);
            Program.run(
                            List.of(
                                    "debootstrap",
                                    "--variant=minbase",
                                    "--include=systemd,systemd-sysv,dbus",
                                    RELEASE,
                                    fresh.toString()),
                            Duration.ofMinutes(5))
                    .orThrow();
            Files.move(fresh, base);
        }
        return base;
    }

    /** Nothing may be mounted below it any more: what is bound into a machine is this machine's own. */
    static void remove(Path system) throws IOException {
        if (!system.startsWith(SYSTEMS)
                || Files.readString(Path.of("/proc/self/mounts")).contains(" " + system)) {
            throw new IOException("something is mounted below " + system + ", so it is not removed");
        }
        Program.run(
                        List.of("rm", "--recursive", "--force", "--one-file-system", system.toString()),
                        Duration.ofMinutes(1))
                .orThrow();
    }
}
