// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** The real file system, with fsync wherever something has to last. */
final class DurableDisk implements Disk {
    @Override
    public Slab slab(Path file, int size) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        boolean isReady = false;
        try {
            long there = channel.size();
            if (there < size) {
                // Zeros and not a hole: the blocks are taken now.
                writeAll(channel, ByteBuffer.allocate((int) (size - there)), there);
                channel.force(true);
                forceFolderOf(file);
            }
            isReady = true;
            return new ChannelSlab(channel, size);
        } finally {
            if (!isReady) {
                channel.close();
            }
        }
    }

    @Override
    public Optional<byte[]> read(Path file) throws IOException {
        return Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    }

    @Override
    public void replace(Path file, byte[] content) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel out = FileChannel.open(
                fresh,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
            writeAll(out, ByteBuffer.wrap(content), 0);
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        forceFolderOf(file);
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    /** A name in a folder lasts once the folder does. */
    private static void forceFolderOf(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private record ChannelSlab(FileChannel channel, int size) implements Slab {
        @Override
        public byte[] read() throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(size);
            int read = 0;
            while (bytes.hasRemaining() && read >= 0) {
                read = channel.read(bytes, bytes.position());
            }
            return bytes.array();
        }

        @Override
        public void write(int offset, byte[] bytes) throws IOException {
            writeAll(channel, ByteBuffer.wrap(bytes), offset);
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
