// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A text that several processes share: one changes it at a time, and it is always there as a whole.
 *
 * <p>Beside it lies a file of eight bytes, {@code NAME.lock}. Its lock is the right to change the text, and it holds the
 * number of the newest change, mapped into the memory of all who share it: to see that nothing has changed costs one
 * read. The number goes up before the new text is put in the place of the old one. Who sees a new number therefore waits
 * for the lock before it reads; a number that has no text, because its writer died in between, is set back by the next
 * one who looks.
 */
final class StateFile {
    private static final VarHandle STAMP = ValueLayout.JAVA_LONG.varHandle();
    private static final int MOST_MEBIBYTES = 16;
    /** A file's lock belongs to the whole process: within one, users of a file keep each other out by these. */
    private static final Map<Path, ReentrantLock> IN_PROCESS = new ConcurrentHashMap<>();

    private final Path path;
    private final FileChannel locked;
    private final MemorySegment stamp;
    private final ReentrantLock inProcess;

    private StateFile(Path path, FileChannel locked, MemorySegment stamp, ReentrantLock inProcess) {
        this.path = path;
        this.locked = locked;
        this.stamp = stamp;
        this.inProcess = inProcess;
    }

    /** Opens it; the file itself need not be there yet, but its folder must. */
    static StateFile open(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        Path lock = absolute.resolveSibling(absolute.getFileName() + ".lock");
        try {
            FileChannel channel = FileChannel.open(
                    lock, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            MemorySegment mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, Arena.ofAuto());
            Path key = lock.toRealPath();
            return new StateFile(
                    absolute, channel, mapped, IN_PROCESS.computeIfAbsent(key, name -> new ReentrantLock()));
        } catch (IOException e) {
            throw new StateException("the state of the simulated machine cannot be kept in " + path + ": " + e, e);
        }
    }

    Path path() {
        return path;
    }

    /** The number of the newest change. */
    long stamp() {
        return (long) STAMP.getVolatile(stamp, 0L);
    }

    void stamp(long number) {
        STAMP.setVolatile(stamp, 0L, number);
    }

    /** Keeps all others from changing the text until {@link Held#close()}. */
    Held hold() {
        inProcess.lock();
        try {
            return new Held(locked.lock());
        } catch (IOException e) {
            inProcess.unlock();
            throw new StateException(path + " cannot be locked: " + e, e);
        }
    }

    /** The right to change the text. */
    final class Held implements AutoCloseable {
        private final FileLock lock;

        private Held(FileLock lock) {
            this.lock = lock;
        }

        @Override
        public void close() {
            try {
                lock.release();
            } catch (IOException e) {
                throw new StateException(path + " cannot be unlocked: " + e, e);
            } finally {
                inProcess.unlock();
            }
        }

        /** The text; empty where there is none yet. */
        Optional<byte[]> read() {
            try {
                return Files.exists(path) ? Optional.of(new InputFile(path, MOST_MEBIBYTES).bytes()) : Optional.empty();
            } catch (IOException | IllegalArgumentException e) {
                throw new StateException(
                        "the state of the simulated machine cannot be read from " + path + ": " + e.getMessage(), e);
            }
        }

        /**
         * Writes a new text in the place of the old one.
         *
         * @param number of this change
         */
        void write(String text, long number) {
            Path fresh = path.resolveSibling(path.getFileName() + ".new");
            try (FileChannel out = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(false);
                stamp(number);
                Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new StateException(
                        "the state of the simulated machine cannot be written to " + path + ": " + e, e);
            }
        }
    }
}
