// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder in which a control daemon puts its sockets ({@code CUDA_MPS_PIPE_DIRECTORY}). Clients find the daemon by
 * this path alone, so it must be the same path for them, inside of containers too.
 *
 * @param path absolute, normalised and short enough for a socket in it
 */
public record PipeDirectory(Path path) {
    /** The longest path of this folder, in bytes. A socket's path has 108 with its end (unix(7)). */
    public static final int LONGEST = 85;

    /** The socket that every client and every command connects to; mode 0666. */
    public static final String CONTROL = "control";
    /** Held by the daemon as long as it lives; mode 0666. */
    public static final String CONTROL_LOCK = "control_lock";
    /** A socket that the daemon's user alone may connect to; mode 0755. The longest of the names. */
    public static final String CONTROL_PRIVILEGED = "control_privileged";
    /** A FIFO; mode 0777. */
    public static final String LOG = "log";
    /** The daemon's pid without an end of line. Anyone may write it: never believe it without a look at /proc. */
    public static final String PID_FILE = "nvidia-cuda-mps-control.pid";

    /** All that a daemon makes there. The first three stay behind after {@code quit}, all of them after a signal. */
    public static final List<String> FILES = List.of(CONTROL, CONTROL_LOCK, CONTROL_PRIVILEGED, LOG, PID_FILE);

    /**
     * Checks the path.
     *
     * @throws MpsException with one sentence when a daemon could not use it
     */
    public PipeDirectory {
        if (!path.isAbsolute() || !path.equals(path.normalize())) {
            throw new MpsException("the MPS pipe directory " + path
                    + " cannot be used: clients need it as an absolute path without . and .. in it");
        }
        String text = path.toString();
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST) {
            throw new MpsException("the MPS pipe directory " + path + " is " + length + " bytes long: it may have "
                    + LONGEST + " at most, since the path of a socket in it ends at 107; choose a shorter one");
        }
        if (text.chars().anyMatch(c -> c < ' ')) {
            throw new MpsException("the MPS pipe directory has a control character in its name: choose another one");
        }
    }

    /**
     * A file of the daemon.
     *
     * @param name one of {@link #FILES}
     * @return its path
     */
    public Path file(String name) {
        return path.resolve(name);
    }
}
