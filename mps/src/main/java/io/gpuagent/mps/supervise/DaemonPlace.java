// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.PipeDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * All paths of one daemon.
 *
 * @param folders pipe and log directory
 * @param state where its record and its environment are
 */
record DaemonPlace(DaemonFolders folders, Path state) {
    static final String MPS = "mps";

    static DaemonPlace of(SupervisionFolders where, String id) {
        return new DaemonPlace(
                DaemonFolders.of(where.runtime(), where.log(), id),
                where.state().resolve(MPS).resolve(id));
    }

    EnvironmentFile environment() {
        return new EnvironmentFile(state.resolve("environment"));
    }

    /** Clients of other users must pass the folders above the sockets, whatever the umask of this process is. */
    void make() {
        Path pipe = folders.pipe().path();
        Path own = pipe.resolveSibling(".").normalize();
        try {
            makePassable(own.resolveSibling(".").normalize());
            makePassable(own);
            makePassable(pipe);
            makePassable(folders.log());
            makePassable(state);
        } catch (IOException e) {
            throw new MpsException("cannot make the folders of an MPS daemon: " + e + "; correct the owner", e);
        }
    }

    private static void makePassable(Path folder) throws IOException {
        Files.createDirectories(folder);
        if (Files.isSymbolicLink(folder)) {
            throw new IOException(folder + " is a symbolic link");
        }
        if (!PosixFilePermissions.toString(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS))
                .equals("rwxr-xr-x")) {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** Removes what daemons leave behind; the caller knows that nobody owns it. */
    void clear() {
        try {
            for (String file : PipeDirectory.FILES) {
                Files.deleteIfExists(folders.pipe().file(file));
            }
        } catch (IOException e) {
            throw new MpsException(
                    "cannot remove what an MPS daemon left in " + folders.pipe().path() + ": " + e
                            + "; remove it by hand",
                    e);
        }
    }

    /** Removes the pipe directory and its parent, which nobody needs once the daemon is stopped. */
    void removePipe() {
        clear();
        Path pipe = folders.pipe().path();
        try {
            Files.deleteIfExists(pipe);
            Files.deleteIfExists(pipe.resolveSibling(".").normalize());
        } catch (IOException e) {
            throw new MpsException("cannot remove " + pipe + ": " + e + "; somebody put a file there", e);
        }
    }
}
