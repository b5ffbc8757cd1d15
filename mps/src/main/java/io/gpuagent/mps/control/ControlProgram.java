// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.host.HostView;
import io.gpuagent.mps.MpsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The program {@code nvidia-cuda-mps-control}, which is both the daemon and its client.
 *
 * @param path absolute path of the executable
 */
public record ControlProgram(Path path) {
    /** Its name. */
    public static final String NAME = "nvidia-cuda-mps-control";
    /** The name of the servers that it starts. */
    public static final String SERVER_NAME = "nvidia-cuda-mps-server";

    /**
     * Checks the path.
     *
     * @throws MpsException when it is relative
     */
    public ControlProgram {
        if (!path.isAbsolute()) {
            throw new MpsException("the program " + path + " cannot be used: its path must be absolute");
        }
    }

    /**
     * Looks for the program where this process's PATH says.
     *
     * @param host the machine
     * @return the first executable of that name; empty where the driver's compute utilities are not installed
     */
    public static Optional<ControlProgram> find(HostView host) {
        for (String folder : host.environment().getOrDefault("PATH", "").split(":", -1)) {
            if (folder.startsWith("/")) {
                try {
                    Path candidate = host.path(folder).resolve(NAME);
                    if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                        return Optional.of(new ControlProgram(candidate));
                    }
                } catch (InvalidPathException unspeakable) {
                    // This locale cannot express the folder's name: the program is not looked for there.
                }
            }
        }
        return Optional.empty();
    }
}
