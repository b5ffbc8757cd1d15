// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Finds what is wrong with the folders above a daemon's sockets. Clients of other users must pass each of them (a parent
 * of 0750 broke every client that was not root), and nobody else may be able to put another folder in their place.
 */
public final class PipePermissions {
    private PipePermissions() {}

    /**
     * Looks at a pipe directory and all folders above it.
     *
     * @param pipe the directory
     * @param forOtherUsers whether clients of other users are meant to connect
     * @return one sentence for each problem; empty where there is none
     */
    public static List<String> problems(PipeDirectory pipe, boolean forOtherUsers) {
        return problems(pipe, forOtherUsers, Path.of("/"));
    }

    static List<String> problems(PipeDirectory pipe, boolean forOtherUsers, Path below) {
        List<String> problems = new ArrayList<>();
        for (Path folder = pipe.path(); folder != null && !folder.equals(below); folder = folder.getParent()) {
            try {
                check(folder, folder.equals(pipe.path()), forOtherUsers, problems);
            } catch (IOException e) {
                problems.add("cannot look at " + folder + ": " + e.getMessage() + "; make the folder first");
            }
        }
        return List.copyOf(problems);
    }

    private static void check(Path folder, boolean pipe, boolean forOtherUsers, List<String> problems)
            throws IOException {
        if (Files.isSymbolicLink(folder)) {
            // The link's own mode is always 0777; what it names is checked by the path that it stands for.
            problems.add("the folder " + folder
                    + " is a symbolic link, and clients in containers need the same path: name its target instead");
            return;
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
        if (forOtherUsers && !mode.contains(PosixFilePermission.OTHERS_EXECUTE)) {
            problems.add("clients of other users cannot pass the folder " + folder + " (mode "
                    + PosixFilePermissions.toString(mode) + "): run chmod o+x " + folder);
        }
        boolean writable = mode.contains(PosixFilePermission.OTHERS_WRITE);
        // In a sticky folder such as /tmp nobody can replace what another user has made.
        boolean sticky = ((Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 01000) != 0;
        if (writable && (pipe || !sticky)) {
            problems.add("any user can replace what is in the folder " + folder + " (mode "
                    + PosixFilePermissions.toString(mode) + "), the daemon's sockets too: run chmod o-w " + folder);
        }
    }
}
