// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Says that this process alone uses a folder. The kernel holds the lock on the file {@code lock} in it and drops it when
 * the process ends, however it ends, so a crash leaves nothing to clean up. The file's text, pid and start time of the
 * owner, only serves to tell who it is.
 *
 * <p>A POSIX lock belongs to the process: closing any other channel to the same file would drop it. So folders locked by
 * this JVM are kept in a set, and their file is not opened again.
 */
public final class OwnerLock implements AutoCloseable {
    private static final String FILE = "lock";
    private static final Set<Path> HELD_HERE = new HashSet<>();
    private static final int LONGEST_TEXT = 64;

    private final Path file;
    private final FileChannel channel;

    private OwnerLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** What became of an attempt. */
    public sealed interface Attempt {}

    /**
     * The folder is ours until the lock is closed.
     *
     * @param lock the lock
     */
    public record Held(OwnerLock lock) implements Attempt {}

    /**
     * A live process has it.
     *
     * @param folder the folder
     * @param ownerPid the owner's pid; empty where it has not written it yet
     */
    public record Refused(Path folder, Optional<Long> ownerPid) implements Attempt {
        /**
         * Who has the folder, for the user.
         *
         * @return one sentence
         */
        public String sentence() {
            return "another gpu-agent"
                    + ownerPid.map(pid -> ", process " + pid + ",").orElse("") + " uses " + folder
                    + "; stop it first, or choose other folders with --runtime-dir and --state-dir";
        }
    }

    /**
     * Tries to take a folder; never waits.
     *
     * @param folder an existing folder
     * @param self this process
     * @return held, or refused
     * @throws HostException when the lock file cannot be made
     */
    public static Attempt acquire(Path folder, ProcessIdentity self) throws HostException {
        Path file = folder.resolve(FILE);
        synchronized (HELD_HERE) {
            try {
                file = folder.toRealPath().resolve(FILE);
                if (HELD_HERE.contains(file)) {
                    return new Refused(folder, Optional.of(self.pid()));
                }
                return acquire(folder, file, self);
            } catch (IOException e) {
                throw HostException.of("lock", file, e, "the folder must exist and belong to this user");
            }
        }
    }

    private static Attempt acquire(Path folder, Path file, ProcessIdentity self) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        boolean kept = false;
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                return new Refused(folder, owner(channel));
            }
            writeOwner(channel, self);
            HELD_HERE.add(file);
            kept = true;
            return new Held(new OwnerLock(file, channel));
        } finally {
            if (!kept) {
                channel.close();
            }
        }
    }

    private static void writeOwner(FileChannel channel, ProcessIdentity self) {
        try {
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(self.pid() + " " + self.startTicks() + "\n"), 0);
        } catch (IOException fullDisk) {
            // The lock holds without its text; a second agent is refused all the same, without our pid.
            return;
        }
    }

    private static Optional<Long> owner(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_TEXT);
        channel.read(bytes, 0);
        String text = StandardCharsets.US_ASCII.decode(bytes.flip()).toString();
        int end = text.indexOf(' ');
        try {
            return end < 0 ? Optional.empty() : Optional.of(Long.parseLong(text.substring(0, end)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * The lock file.
     *
     * @return its path
     */
    public Path file() {
        return file;
    }

    /** Lets go. The file stays: deleting it would let two later owners lock two different files of that name. */
    @Override
    public void close() {
        synchronized (HELD_HERE) {
            if (!HELD_HERE.remove(file)) {
                return;
            }
            try (channel) {
                channel.truncate(0);
            } catch (IOException ignored) {
                // The kernel drops the lock with the channel in any case; the text is only read while a lock is held.
                return;
            }
        }
    }
}
