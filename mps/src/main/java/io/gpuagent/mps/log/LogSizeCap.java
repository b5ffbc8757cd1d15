// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Keeps a daemon's log from filling the disk: the daemon never cuts its logs and cannot be told to write anew. The end of
 * the log is copied to {@code NAME.1}, then the log is cut to nothing. Lines written in between are lost to the copy, not
 * to a {@link LogTail} that was polled just before and after.
 *
 * @param file the log
 * @param most bytes it may have, and those that the copy keeps
 */
public record LogSizeCap(Path file, long most) {
    /**
     * Where the end of a log is that was cut.
     *
     * @param log the log
     * @return the file beside it
     */
    static Path cutOff(Path log) {
        return log.resolveSibling(log.getFileName() + ".1");
    }

    /**
     * Cuts the log where it is too long.
     *
     * @return whether it was cut
     * @throws IOException when it could not be; the log is as it was then
     */
    public boolean enforce() throws IOException {
        Path name = file.getFileName();
        if (name == null) {
            return false;
        }
        try (FileChannel log =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            long size = log.size();
            if (size <= most) {
                return false;
            }
            Path fresh = file.resolveSibling(name + ".1.new");
            try (FileChannel copy = FileChannel.open(
                    fresh,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS)) {
                for (long at = size - most; at < size; ) {
                    long moved = log.transferTo(at, size - at, copy);
                    if (moved <= 0) {
                        break;
                    }
                    at += moved;
                }
            }
            Files.move(fresh, cutOff(file), StandardCopyOption.ATOMIC_MOVE);
            log.truncate(0);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}
