// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines that are added to a file, whatever is done to it: it may not be there yet, be renamed and made anew, or
 * be copied and cut to nothing, also when more was written since than had been there. Used by one thread.
 *
 * <p>A line is given out once it has its end. Long ones are cut, bytes that are no UTF-8 are replaced, and NULs, which a
 * writer leaves that goes on at its old place after a cut, are skipped.
 */
public final class LogTail implements AutoCloseable {
    /** Bytes of a line that are kept. */
    public static final int LONGEST_LINE = 4096;
    /** Bytes that one {@link #poll} reads at most; the rest comes with the next one. */
    public static final int MOST_AT_ONCE = 1 << 20;

    private static final int REMEMBERED = 64;

    private final Path file;
    private long startBeforeEnd;
    private @Nullable FileChannel channel;
    private @Nullable Object key;
    private @Nullable FileTime modified;
    private long position;
    private byte[] before = {};
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean skipping;

    private LogTail(Path file, long startBeforeEnd) {
        this.file = file;
        this.startBeforeEnd = startBeforeEnd;
    }

    /**
     * Reads a file from its beginning.
     *
     * @param file the file, which may not be there yet
     * @return the tail
     */
    public static LogTail fromStart(Path file) {
        return new LogTail(file, Long.MAX_VALUE);
    }

    /**
     * Reads the end of a file that is there at the first {@link #poll}, and all of one that comes later.
     *
     * @param file the file, which may not be there yet
     * @param bytes where to start, counted from the end; the line that is cut by this is left out
     * @return the tail
     */
    public static LogTail fromEnd(Path file, long bytes) {
        return new LogTail(file, bytes);
    }

    /**
     * Reads what has been added.
     *
     * @return whole lines without their ends, oldest first
     * @throws IOException when the file is there and cannot be read
     */
    public List<String> poll() throws IOException {
        List<String> lines = new ArrayList<>();
        if (channel == null && !open()) {
            return lines;
        }
        if (isAsItWas()) {
            return lines;
        }
        int budget = MOST_AT_ONCE;
        budget -= read(lines, budget);
        // A renamed file is read to its end before the new one is begun.
        if (budget > 0 && isReplaced()) {
            close();
            if (open()) {
                read(lines, budget);
            }
        }
        return lines;
    }

    /** One look at the file is all that a quiet second takes. */
    private boolean isAsItWas() throws IOException {
        BasicFileAttributes now;
        try {
            now = attributes();
        } catch (NoSuchFileException renamed) {
            return false;
        }
        boolean same =
                now.size() == position && now.lastModifiedTime().equals(modified) && Objects.equals(now.fileKey(), key);
        modified = now.lastModifiedTime();
        return same;
    }

    private boolean open() throws IOException {
        // It costs less than an exception each second, as where a daemon in the foreground has no log of its servers.
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            startBeforeEnd = Long.MAX_VALUE;
            return false;
        }
        try {
            BasicFileAttributes attributes = attributes();
            if (!attributes.isRegularFile()) {
                throw new IOException(file + " is no regular file");
            }
            FileChannel opened = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            channel = opened;
            // Renamed between the two calls, it is found to be replaced at the next look and read anew.
            key = attributes.fileKey();
            modified = null;
            before = new byte[0];
            line.reset();
            long size = opened.size();
            position = startBeforeEnd >= size ? 0 : size - startBeforeEnd;
            skipping = position > 0 && !startsLine(opened);
        } catch (NoSuchFileException e) {
            startBeforeEnd = Long.MAX_VALUE;
            return false;
        }
        startBeforeEnd = Long.MAX_VALUE;
        return true;
    }

    private boolean startsLine(FileChannel opened) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        return opened.read(one, position - 1) == 1 && one.get(0) == '\n';
    }

    private BasicFileAttributes attributes() throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private boolean isReplaced() throws IOException {
        try {
            Object now = attributes().fileKey();
            return now != null && !now.equals(key);
        } catch (NoSuchFileException e) {
            // Renamed, and nothing new yet: what is still written goes to the open one.
            return false;
        }
    }

    private int read(List<String> lines, int budget) throws IOException {
        FileChannel open = channel;
        if (open == null) {
            return 0;
        }
        if (isCut(open)) {
            position = 0;
            before = new byte[0];
            line.reset();
            skipping = false;
        }
        ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
        int total = 0;
        while (total < budget) {
            buffer.clear().limit(Math.min(buffer.capacity(), budget - total));
            int count = open.read(buffer, position);
            if (count <= 0) {
                break;
            }
            take(buffer.array(), count, lines);
            position += count;
            total += count;
            remember(buffer.array(), count);
        }
        return total;
    }

    /** A file that was cut is shorter than before, or has something else where the last bytes were read. */
    private boolean isCut(FileChannel open) throws IOException {
        if (open.size() < position) {
            return true;
        }
        ByteBuffer now = ByteBuffer.allocate(before.length);
        long start = position - before.length;
        while (now.hasRemaining()) {
            if (open.read(now, start + now.position()) <= 0) {
                return true;
            }
        }
        byte[] bytes = now.array();
        // NULs: the writer goes on at its old place, behind a hole, so this is the place to go on reading, too.
        return !Arrays.equals(bytes, before) && !Arrays.equals(bytes, new byte[bytes.length]);
    }

    private void remember(byte[] bytes, int count) {
        byte[] all = Arrays.copyOf(before, before.length + count);
        System.arraycopy(bytes, 0, all, before.length, count);
        before = Arrays.copyOfRange(all, Math.max(0, all.length - REMEMBERED), all.length);
    }

    private void take(byte[] bytes, int count, List<String> lines) {
        for (int i = 0; i < count; i++) {
            byte b = bytes[i];
            if (b == '\n') {
                if (!skipping) {
                    lines.add(text());
                }
                line.reset();
                skipping = false;
            } else if (b != 0 && !skipping) {
                line.write(b);
                if (line.size() == LONGEST_LINE) {
                    lines.add(text());
                    skipping = true;
                }
            }
        }
    }

    private String text() {
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    @Override
    public void close() throws IOException {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }
}
