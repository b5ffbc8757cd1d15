// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** The files of the store; a test puts a disk that fails in its place. */
interface StoreDisk {
    /** The machine's file system. */
    StoreDisk REAL = new StoreDisk() {};

    /** A file's content; empty where there is no such file. */
    default Optional<byte[]> read(Path file, long max) throws IOException {
        try {
            if (Files.size(file) > max) {
                throw new IOException("it has " + Files.size(file) + " bytes, more than this agent ever writes");
            }
            return Optional.of(Files.readAllBytes(file));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /** Writes at a place and cuts off what lay behind; on the disk when it returns. */
    default void write(Path file, long offset, byte[] bytes) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.truncate(offset);
            ByteBuffer left = ByteBuffer.wrap(bytes);
            long at = offset;
            while (left.hasRemaining()) {
                at += channel.write(left, at);
            }
            channel.force(false);
        }
    }

    /** Puts a file in the place of another. */
    default void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = to.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }
}
