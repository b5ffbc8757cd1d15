// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A small text file that is there as a whole or as it was before, after a loss of power too. */
record AtomicFile(Path path) {
    void write(String text) {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Path folder = path.resolveSibling(".").normalize();
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                    fresh,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE,
                    LinkOption.NOFOLLOW_LINKS)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                // The agent may read what root has written; nothing secret is in it.
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
                channel.force(true);
            }
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
            try (FileChannel entry = FileChannel.open(folder, StandardOpenOption.READ)) {
                entry.force(true);
            }
        } catch (IOException e) {
            throw new MpsException("cannot write " + path + ": " + e + "; make room, or correct its owner", e);
        }
    }
}
