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
     * Reads a path, relative or absolute.
     *
     * @param text the path
     * @return the path as it was written
     * @throws BadValueException when it is no path at all, or none that this locale can express
     */
    public static Path path(String text) throws BadValueException {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw refused(e);
        }
    }

    /**
     * What to say about a text that the file system refuses as a path.
     *
     * @param refusal the refusal
     * @return what is wrong, for the user
     */
    public static BadValueException refused(InvalidPathException refusal) {
        String text = refusal.getInput();
        // The JDK has two reasons: a character 0, and one that the locale's encoding lacks.
        return text.indexOf('\0') >= 0
                ? new BadValueException(Quoted.of(text) + " is no path", "remove the character 0 from it")
                : new BadValueException(Quoted.of(text) + " cannot be used under this locale", "set LC_ALL=C.UTF-8");
    }

    /**
     * Reads an absolute path.
     *
     * @param text the path
     * @return the path
     * @throws BadValueException when it is relative or no path at all
     */
    public static Path absolute(String text) throws BadValueException {
        Path path = path(text);
        if (path.isAbsolute()) {
            return path.normalize();
        }
        throw new BadValueException(Quoted.of(text) + " is not absolute", "write a path that starts with /");
    }
}
