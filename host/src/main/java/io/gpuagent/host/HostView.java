// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The machine as this process sees it.
 *
 * @param root what absolute paths start from; {@code /} but for tests
 * @param environment this process's environment variables
 * @param uid the user this process runs as
 */
public record HostView(Path root, Map<String, String> environment, int uid) {
    /** Takes a copy of the environment. */
    public HostView {
        environment = Map.copyOf(environment);
    }

    /**
     * This machine and this process.
     *
     * @return the real view
     */
    public static HostView real() {
        Path status = Path.of("/proc/self/status");
        try {
            return new HostView(Path.of("/"), System.getenv(), effectiveUid(Files.readAllLines(status)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + status + ": /proc must be mounted", e);
        }
    }

    /** The JDK has no geteuid. The owner of /proc/self would not do: it is root for a process that may not be dumped. */
    static int effectiveUid(List<String> status) throws IOException {
        for (String line : status) {
            // proc_pid_status(5): real, effective, saved set and file system uid.
            String[] words = line.split("\\s+", -1);
            if (words[0].equals("Uid:") && words.length > 2) {
                return Integer.parseUnsignedInt(words[2]);
            }
        }
        throw new IOException("there is no line Uid");
    }

    /**
     * A path of this machine.
     *
     * @param absolute the path as it is known, such as {@code /etc/machine-id}
     * @return the path below {@link #root()}
     */
    public Path path(String absolute) {
        return root.resolve(absolute.substring(1));
    }

    /**
     * An environment variable that names a folder. A relative path there is ignored, as the XDG base directory
     * specification wants it.
     *
     * @param variable its name
     * @return the folder, empty where the variable is not set or not absolute
     * @throws InvalidPathException when this locale cannot express it; its input is {@code VARIABLE=VALUE}
     */
    public Optional<Path> folder(String variable) {
        return Optional.ofNullable(environment.get(variable))
                .filter(value -> value.startsWith("/"))
                .map(value -> folder(variable, value));
    }

    private static Path folder(String variable, String value) {
        try {
            return Path.of(value);
        } catch (InvalidPathException e) {
            // The value alone would not tell the user where it came from.
            InvalidPathException named = new InvalidPathException(variable + "=" + value, e.getReason());
            named.initCause(e);
            throw named;
        }
    }

    /**
     * Whether this process is root.
     *
     * @return true for user 0
     */
    public boolean isRoot() {
        return uid == 0;
    }
}
