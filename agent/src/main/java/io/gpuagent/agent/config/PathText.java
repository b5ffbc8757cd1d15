// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths as people write them. */
public final class PathText {
    // sun_path of unix(7) holds 108 bytes, the last of them 0; the socket is made in a folder
    // whose name ends in ".new", under the name "s".
    private static final int LONGEST = 107 - ".new/s".length();

    private PathText() {}

    /**
     * Reads the path of a Unix socket.
     *
     * @param text the path
     * @return the path
     * @throws BadValueException when no socket can have this path
     */
    public static Path socket(String text) throws BadValueException {
        Path path = absolute(text);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST) {
            throw new BadValueException(
                    Quoted.of(text) + " has " + bytes + " bytes, too many for a socket",
                    "choose a path of at most " + LONGEST + " bytes");
        }
        return path;
    }

    /**
     * Reads an absolute path.
     *
     * @param text the path
     * @return the path
     * @throws BadValueException when it is relative or no path at all
     */
    public static Path absolute(String text) throws BadValueException {
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException e) {
            throw new BadValueException(Quoted.of(text) + " is no path", "write a path that starts with /");
        }
        throw new BadValueException(Quoted.of(text) + " is not absolute", "write a path that starts with /");
    }
}
