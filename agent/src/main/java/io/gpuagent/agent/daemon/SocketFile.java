// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static java.lang.System.Logger.Level.WARNING;

import io.gpuagent.agent.config.AgentException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/**
 * The file of the control socket. A server binds to a name in a folder of its own beside it, which nobody else can enter;
 * the socket gets its group and mode there before it is renamed to the real name. So nobody can connect while it is still
 * open to all, and whoever finds the name finds a live server.
 */
final class SocketFile {
    private static final String GROUP = "gpu-agent";

    private static final System.Logger LOG = System.getLogger(SocketFile.class.getName());

    private final Path path;
    private final Path folder;
    private final Path binding;
    private boolean made;
    private @Nullable String identity;

    SocketFile(Path path) {
        this.path = path;
        this.folder = path.resolveSibling(path.getFileName() + ".new");
        this.binding = folder.resolve("s");
    }

    /**
     * Clears the way for a new server.
     *
     * @return where to bind
     * @throws AgentException when another agent answers there, or what is there is no socket
     */
    Path prepare() throws AgentException {
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!isSocket()) {
                throw new AgentException(
                        AgentException.FAILED,
                        "cannot make the socket " + path + ": a file that is no socket is in the way; remove it");
            }
            if (answers()) {
                throw new AgentException(
                        AgentException.FAILED,
                        "an agent already answers at " + path
                                + "; stop it first, or choose another path with --socket");
            }
        }
        try {
            // What another start has left: a folder with at most a socket in it. Anything else is somebody's, and
            // stays.
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                delete(binding);
                delete(folder);
            }
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.FAILED,
                    "cannot make the folder " + folder + " for the socket; is it in the way?",
                    e);
        }
        made = true;
        return binding;
    }

    private boolean isSocket() {
        try {
            // S_IFSOCK of stat(2).
            int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & 0170000) == 0140000;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean answers() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // Not blocking: a live server whose backlog is full is a server all the same.
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException e) {
            // Refused: nobody listens, the socket of a process that died.
            return false;
        } catch (IOException e) {
            // Resource temporarily unavailable: the backlog is full, so there is somebody.
            return true;
        }
    }

    /**
     * Lets clients in: owner and group may connect, and the name appears.
     *
     * @throws AgentException when the file cannot be changed
     */
    void publish() throws AgentException {
        try {
            PosixFileAttributeView view = Files.getFileAttributeView(binding, PosixFileAttributeView.class);
            setGroup(view);
            view.setPermissions(PosixFilePermissions.fromString("rw-rw----"));
            Files.move(binding, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.delete(folder);
            made = false;
            identity = identity();
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.FAILED, "cannot put the socket in place at " + path + ": " + e.getMessage(), e);
        }
    }

    private void setGroup(PosixFileAttributeView view) {
        try {
            GroupPrincipal group =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(GROUP);
            view.setGroup(group);
        } catch (IOException e) {
            // No such group, or we are not in it: the socket stays with our own, as in a checkout or container.
            LOG.log(System.Logger.Level.DEBUG, "the socket keeps its group: {0}", e.getMessage());
        }
    }

    /** Removes the socket of a server that has listened. */
    void remove() {
        // Another agent may have taken the name meanwhile, after ours was removed: its socket is not ours to delete.
        if (identity != null && identity.equals(identity())) {
            delete(path);
        }
    }

    /** Device and inode of what bears the name now. */
    private @Nullable String identity() {
        try {
            return Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS)
                    + ":"
                    + Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return null;
        }
    }

    /** Removes what a server that could not start has left; another's socket stays. */
    void abandon() {
        if (made) {
            delete(binding);
            delete(folder);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.log(WARNING, "the socket {0} stays behind: {1}", path, e.getMessage());
        }
    }
}
