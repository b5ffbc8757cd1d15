// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Whether nobody else can redirect what is written below a folder. Whoever writes there as root follows the path that it
 * finds; a user who owns a folder on the way could put a link in its place at any moment, even behind a check. So on the
 * whole way from the root every folder must be a folder and no link, belong to root or to this user, and be writable by
 * others only where it is sticky: in such a folder others can add entries, and cannot take ours away.
 */
public final class FolderTrust {
    private static final int WRITABLE_BY_OTHERS = 0022;
    private static final int STICKY = 01000;

    private final int uid;

    /**
     * Checks for one user.
     *
     * @param uid the user that will write
     */
    public FolderTrust(int uid) {
        this.uid = uid;
    }

    /**
     * Makes a folder, mode 0755, where it is missing, and checks the whole way to it.
     *
     * @param folder an absolute path
     * @throws HostException when another user could redirect what is written there
     */
    public void prepare(Path folder) throws HostException {
        Path way = folder.toAbsolutePath().getRoot();
        check(way);
        for (Path name : folder.toAbsolutePath().normalize()) {
            way = way.resolve(name);
            try {
                Files.createDirectory(
                        way, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
            } catch (FileAlreadyExistsException usual) {
                // Whatever it is, it is looked at next.
            } catch (IOException e) {
                throw HostException.of("make the folder", way, e, "make it, or correct the owner of the one above");
            }
            check(way);
        }
    }

    private void check(Path folder) throws HostException {
        Map<String, Object> found;
        try {
            found = Files.readAttributes(folder, "unix:isDirectory,uid,mode", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw HostException.of("check", folder, e, "it must be a folder of root's");
        }
        // A link is no directory here, since it is not followed.
        if (!Boolean.TRUE.equals(found.get("isDirectory"))) {
            throw unsafe(folder, "it is a link or no folder", "remove it");
        }
        int owner = found.get("uid") instanceof Integer number ? number : -1;
        if (owner != 0 && owner != uid) {
            throw unsafe(
                    folder,
                    "user " + Integer.toUnsignedString(owner)
                            + ", to whom it belongs, could redirect what is written there",
                    "give it to root");
        }
        int mode = found.get("mode") instanceof Integer bits ? bits : 0;
        if ((mode & WRITABLE_BY_OTHERS) != 0 && (mode & STICKY) == 0) {
            throw unsafe(
                    folder, "other users may write to it and it is not sticky", "run chmod go-w or chmod +t on it");
        }
    }

    private static HostException unsafe(Path folder, String why, String right) {
        return new HostException("cannot use " + folder + ": " + why + "; " + right, true);
    }
}
