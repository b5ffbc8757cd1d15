// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/**
 * Makes an agent's folders where they are missing, and refuses those that another user could have put there: in
 * {@code /tmp} anyone can make a folder of our name first, or a link to somewhere else.
 */
public final class FolderOwnership {
    private static final FileAttribute<Set<PosixFilePermission>> OURS_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<Set<PosixFilePermission>> READABLE_BY_ALL =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final HostView host;

    /**
     * Checks for one user on one machine.
     *
     * @param host the machine and the user
     */
    public FolderOwnership(HostView host) {
        this.host = host;
    }

    /**
     * Makes what is missing and checks what is there.
     *
     * @param folders the folders
     * @throws HostException when one cannot be made or may not be used
     */
    public void prepare(RuntimeFolders.Chosen folders) throws HostException {
        prepare(folders.runtime(), "--runtime-dir");
        prepare(folders.state(), "--state-dir");
    }

    /**
     * Whether what is found in a folder can be believed: a socket in it was put there by its user or by the system.
     *
     * @param folders the folders
     * @return false where another user may have made the runtime folder
     */
    public boolean trusted(RuntimeFolders.Chosen folders) {
        try {
            for (Path owned : ownedBy(folders.runtime())) {
                checkOwner(owned, "");
            }
            return true;
        } catch (HostException e) {
            return false;
        }
    }

    private void prepare(Path folder, String option) throws HostException {
        String right = "choose another folder with " + option;
        for (Path owned : ownedBy(folder)) {
            make(owned, right);
            checkOwner(owned, right);
        }
        make(folder, right);
        if (!Files.isWritable(folder)) {
            throw new HostException("cannot write to " + folder + ": permission denied; " + right, true);
        }
    }

    /** The folders that must be this user's alone; none for the system's and for those that were asked for by name. */
    private List<Path> ownedBy(Path folder) {
        List<RuntimeFolders.Chosen> own = new RuntimeFolders(host)
                .lookups().stream().filter(place -> !place.system()).toList();
        for (RuntimeFolders.Chosen place : own) {
            if (folder.equals(place.runtime()) || folder.equals(place.state())) {
                // A simulated run's folder lies in a folder of ours: whoever owns that one could swap the inner one.
                return place.simulated() ? List.of(parentOf(folder), folder) : List.of(folder);
            }
        }
        return List.of();
    }

    private static Path parentOf(Path folder) {
        Path parent = folder.getParent();
        return parent == null ? folder : parent;
    }

    private void make(Path folder, String right) throws HostException {
        try {
            Path parent = folder.getParent();
            if (parent != null && !Files.isDirectory(parent)) {
                Files.createDirectories(parent, host.isRoot() ? READABLE_BY_ALL : OURS_ALONE);
            }
            Files.createDirectory(folder, host.isRoot() ? READABLE_BY_ALL : OURS_ALONE);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw new HostException("cannot use " + folder + ": it is not a folder; " + right, false);
            }
        } catch (IOException e) {
            throw HostException.of("make the folder", folder, e, right);
        }
    }

    private void checkOwner(Path folder, String right) throws HostException {
        try {
            if (Files.isSymbolicLink(folder)) {
                throw new HostException(
                        "cannot use " + folder
                                + ": it is a symbolic link, which another user may have made; remove it or " + right,
                        false);
            }
            int owner = (Integer) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (owner != host.uid()) {
                throw new HostException(
                        "cannot use " + folder + ": it belongs to user " + owner + " and not to user " + host.uid()
                                + "; " + right,
                        true);
            }
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS);
            if (permissions.stream().anyMatch(WRITABLE_BY_OTHERS::contains)) {
                throw new HostException(
                        "cannot use " + folder + ": other users may write to it (mode "
                                + PosixFilePermissions.toString(permissions) + "); run chmod 700 " + folder + " or "
                                + right,
                        false);
            }
        } catch (IOException e) {
            throw HostException.of("check the owner of", folder, e, right);
        }
    }
}
