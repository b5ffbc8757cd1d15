// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import io.gpuagent.model.time.Clock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;

/**
 * A file of lines that several processes append to, each line on the disk before {@link #append} returns. At a size of
 * 1 MiB it becomes {@code .1}, that one {@code .2} and so on up to {@code .4}; the oldest goes.
 */
final class AuditFile {
    private static final int OLD_FILES = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(5);
    private static final Object ONE_WRITER = new Object();

    private final Path file;
    private final Clock clock;
    private final long mostBytes;

    /**
     * A file.
     *
     * @param file in a folder that exists and is safe
     * @param clock the time
     */
    AuditFile(Path file, Clock clock) {
        this(file, clock, 1 << 20);
    }

    AuditFile(Path file, Clock clock, long mostBytes) {
        this.file = file;
        this.clock = clock;
        this.mostBytes = mostBytes;
    }

    /**
     * Appends a line.
     *
     * @param line with its end
     * @throws IOException when it is not on the disk
     */
    void append(String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line);
        // Between processes the file lock counts; within one, Java refuses a second lock instead of waiting for it.
        synchronized (ONE_WRITER) {
            // The lock is on a file of its own, since the log itself is renamed; it goes with its channel.
            try (FileChannel guard = open(sibling(".lock"), StandardOpenOption.WRITE)) {
                lock(guard);
                if (size() + bytes.remaining() > mostBytes) {
                    rotate();
                }
                try (FileChannel log = open(file, StandardOpenOption.APPEND)) {
                    if (log.size() > 0 && !endsLine(log)) {
                        // A crash or a full disk cut the last line off; it must not spoil this one.
                        log.write(ByteBuffer.wrap(new byte[] {'\n'}));
                    }
                    while (bytes.hasRemaining()) {
                        log.write(bytes);
                    }
                    log.force(true);
                }
            }
        }
    }

    /** Others hold it for the milliseconds of one write, unless their disk hangs. */
    private void lock(FileChannel guard) throws IOException {
        long deadline = clock.nanos() + PATIENCE.toNanos();
        try {
            while (guard.tryLock() == null) {
                if (clock.nanos() >= deadline) {
                    throw new IOException(
                            "another process has written to " + file + " for " + PATIENCE.toSeconds() + " s");
                }
                clock.sleepUntil(clock.nanos() + RETRY.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + file);
        }
    }

    private static FileChannel open(Path path, StandardOpenOption how) throws IOException {
        return FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, how, LinkOption.NOFOLLOW_LINKS),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
    }

    private long size() throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException first) {
            return 0;
        }
    }

    private boolean endsLine(FileChannel log) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            reader.read(last, log.size() - 1);
        }
        return last.get(0) == '\n';
    }

    private void rotate() throws IOException {
        for (int number = OLD_FILES; number > 0; number--) {
            Path from = number == 1 ? file : sibling("." + (number - 1));
            if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
                Files.move(from, sibling("." + number), StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private Path sibling(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }
}
