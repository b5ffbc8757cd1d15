// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which folders an agent uses, by who runs it: root and the package's user {@code gpu-agent} have the system's, every
 * other user has their own, and simulated runs have a folder {@code simulated} below. Nothing here makes a folder; {@link FolderOwnership} does.
 */
public final class RuntimeFolders {
    private static final String NAME = "gpu-agent";
    private static final String SIMULATED = "simulated";
    private static final String SYSTEM_RUNTIME = "/run/gpu-agent";
    private static final String SYSTEM_STATE = "/var/lib/gpu-agent";

    private final HostView host;

    /**
     * Folders of a user on a machine.
     *
     * @param host the machine and the user
     */
    public RuntimeFolders(HostView host) {
        this.host = host;
    }

    /**
     * The folders of one agent.
     *
     * @param runtime for what ends with the boot: socket, lock, pipes
     * @param state for what outlives it
     * @param simulated whether the agent's GPUs are simulated
     * @param system whether they are the system's, which root or the package's user owns, and not a user's own
     */
    public record Chosen(Path runtime, Path state, boolean simulated, boolean system) {
        /**
         * Where the control API listens unless it is told otherwise.
         *
         * @return the socket's path
         */
        public Path socket() {
            return runtime.resolve("gpu-agent.sock");
        }
    }

    /**
     * The folders of an agent started by this user.
     *
     * @param simulated whether its GPUs are simulated
     * @param runtimeDir the folder asked for instead of the usual one
     * @param stateDir the folder asked for instead of the usual one
     * @return the folders
     */
    public Chosen choose(boolean simulated, Optional<Path> runtimeDir, Optional<Path> stateDir) {
        Chosen usual = host.isRoot() || isPackageUser() ? system(simulated) : own(simulated);
        return new Chosen(
                runtimeDir.orElse(usual.runtime()), stateDir.orElse(usual.state()), simulated, usual.system());
    }

    /**
     * Where a command looks for a running agent: this user's own, then the system's, then this user's simulated one.
     *
     * @return the folders in this order
     */
    public List<Chosen> lookups() {
        return host.isRoot() ? List.of(system(false), system(true)) : List.of(own(false), system(false), own(true));
    }

    /** The package makes the user, so it stands in the machine's own file; see passwd(5). */
    private boolean isPackageUser() {
        // Bytes are not decoded: the comment of some user may be in any encoding.
        try (Stream<String> users = Files.lines(host.path("/etc/passwd"), StandardCharsets.ISO_8859_1)) {
            String number = Integer.toUnsignedString(host.uid());
            return users.map(line -> line.split(":", -1))
                    .anyMatch(words -> words.length > 2 && words[0].equals(NAME) && words[2].equals(number));
        } catch (IOException | UncheckedIOException unreadable) {
            return false;
        }
    }

    private Chosen system(boolean simulated) {
        return new Chosen(
                below(host.path(SYSTEM_RUNTIME), simulated),
                below(host.path(SYSTEM_STATE), simulated),
                simulated,
                true);
    }

    private Chosen own(boolean simulated) {
        Path runtime = host.folder("XDG_RUNTIME_DIR")
                .map(folder -> folder.resolve(NAME))
                .orElse(host.path("/tmp/" + NAME + "-" + host.uid()));
        Path state = host.folder("XDG_STATE_HOME")
                .or(() -> host.folder("HOME").map(home -> home.resolve(".local/state")))
                .map(folder -> folder.resolve(NAME))
                .orElse(runtime.resolve("state"));
        return new Chosen(below(runtime, simulated), below(state, simulated), simulated, false);
    }

    private static Path below(Path folder, boolean simulated) {
        return simulated ? folder.resolve(SIMULATED) : folder;
    }
}
