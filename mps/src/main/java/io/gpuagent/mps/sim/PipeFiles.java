// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.PipeDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The files of a simulated daemon, with the modes that were captured. Sockets and the FIFO are plain files here, unless
 * somebody made real ones before.
 *
 * @param folders the daemon's folders
 */
public record PipeFiles(DaemonFolders folders) {
    /**
     * Makes all files that are missing and writes the pid.
     *
     * @param pid the daemon's pid
     */
    public void make(long pid) {
        try {
            Files.createDirectories(folders.pipe().path());
            Files.createDirectories(folders.log());
            for (String name : PipeDirectory.FILES) {
                Path file = folders.pipe().file(name);
                if (!Files.exists(file)) {
                    Files.createFile(file);
                }
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode(name)));
            }
            // Without an end of line, as the real one.
            Files.writeString(
                    folders.pipe().file(PipeDirectory.PID_FILE), Long.toString(pid), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new MpsException(
                    "cannot make the files of a simulated MPS daemon in "
                            + folders.pipe().path(),
                    e);
        }
    }

    private static String mode(String name) {
        return switch (name) {
            case PipeDirectory.CONTROL_PRIVILEGED -> "rwxr-xr-x";
            case PipeDirectory.LOG -> "rwxrwxrwx";
            default -> "rw-rw-rw-";
        };
    }

    /** Removes what {@code quit} removes: the FIFO and the pid file; the sockets and the lock stay. */
    public void clearAfterQuit() {
        try {
            Files.deleteIfExists(folders.pipe().file(PipeDirectory.LOG));
            Files.deleteIfExists(folders.pipe().file(PipeDirectory.PID_FILE));
        } catch (IOException e) {
            throw new MpsException(
                    "cannot remove the files of a simulated MPS daemon in "
                            + folders.pipe().path(),
                    e);
        }
    }
}
