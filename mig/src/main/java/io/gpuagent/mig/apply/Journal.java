// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The journal of one GPU: a file of a fixed size that holds the last change. Each record is a line of checksum, number of
 * the change, number of the record, kind and text, and is on the disk before the method that writes it returns. A change
 * is written over the one before; what is left of that behind it has another number and does not count, and neither does
 * a line that was written in part.
 */
final class Journal implements AutoCloseable {
    /** The longest change, of 112 steps and as many back, takes 40 KiB. */
    static final int SIZE = 128 * 1024;

    private final Path file;
    private final Disk.Slab slab;
    private @Nullable ChangeRecord change;
    private int end;
    private int records;

    private Journal(Path file, Disk.Slab slab) {
        this.file = file;
        this.slab = slab;
    }

    static Journal open(Disk disk, Path file) throws MigException {
        try {
            Journal journal = new Journal(file, disk.slab(file, SIZE));
            journal.replay(new String(journal.slab.read(), StandardCharsets.UTF_8));
            return journal;
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    private static MigException unwritable(Path file, IOException e) {
        return new MigException(
                MigException.Cause.STORAGE,
                "the journal " + file + " cannot be written, so nothing is changed: " + e.getMessage());
    }

    /** The last change; empty where there was none, or where it never got as far as to be planned. */
    Optional<ChangeRecord> last() {
        return Optional.ofNullable(change);
    }

    private void replay(String content) {
        int at = 0;
        while (true) {
            int newline = content.indexOf('\n', at);
            if (newline < 0) {
                return;
            }
            Optional<String> text = Checksummed.text(content.substring(at, newline));
            if (text.isEmpty() || !replayRecord(text.get())) {
                return;
            }
            at = newline + 1;
            end = at;
            records++;
        }
    }

    private boolean replayRecord(String text) {
        String[] fields = text.split(" ", 4);
        try {
            long id = Long.parseLong(fields[0]);
            boolean isNext = Integer.parseInt(fields[1]) == records;
            Kind kind = Kind.valueOf(fields[2]);
            ChangeRecord now = change;
            if (!isNext || (now == null) != (kind == Kind.PLANNED) || (now != null && now.id() != id)) {
                return false;
            }
            change = now == null ? planned(id, fields[3]) : folded(now, kind, fields[3]);
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException otherVersion) {
            return false;
        }
    }

    private static ChangeRecord planned(long id, String text) {
        String[] parts = text.split("\\|", -1);
        return new ChangeRecord(
                id,
                Instant.parse(parts[0]),
                SavedLayout.parse(parts[1]),
                SavedLayout.parse(parts[2]),
                Set.of(),
                Set.of(),
                false,
                ChangeRecord.End.NONE);
    }

    private static ChangeRecord folded(ChangeRecord change, Kind kind, String text) {
        Set<Piece> made = new LinkedHashSet<>(change.made());
        Set<Piece> destroyed = new LinkedHashSet<>(change.destroyed());
        boolean isUndoing = change.isUndoing();
        ChangeRecord.End end = change.end();
        switch (kind) {
            case MAKES -> made.add(Piece.parse(text));
            case REFUSED -> made.remove(Piece.parse(text));
            case UNDOES -> isUndoing = true;
            case COMMITTED -> end = ChangeRecord.End.COMMITTED;
            case ROLLED_BACK -> end = ChangeRecord.End.ROLLED_BACK;
            case DESTROYS -> destroyed.add(Piece.parse(text));
            case PLANNED, DONE -> {}
        }
        return new ChangeRecord(
                change.id(), change.at(), change.before(), change.after(), made, destroyed, isUndoing, end);
    }

    /** Begins a change. */
    void plan(Instant at, SavedLayout before, SavedLayout after) throws MigException {
        if (change != null && change.isOpen()) {
            throw new IllegalStateException("change " + change.id() + " is open");
        }
        // By the time of day, so that it is none of those that lie behind, even where the record before was torn.
        long id = Math.max(at.toEpochMilli(), change == null ? 1 : change.id() + 1);
        String text = at + "|" + before.text() + "|" + after.text();
        append(id, 0, 0, Kind.PLANNED, text);
        change = planned(id, text);
    }

    void note(Kind kind, String text) throws MigException {
        ChangeRecord now = change;
        if (now == null || !now.isOpen()) {
            throw new IllegalStateException("no change is open");
        }
        append(now.id(), end, records, kind, text);
        change = folded(now, kind, text);
    }

    private void append(long id, int offset, int record, Kind kind, String text) throws MigException {
        byte[] bytes =
                Checksummed.line(id + " " + record + " " + kind + " " + text).getBytes(StandardCharsets.UTF_8);
        try {
            if (offset + bytes.length > SIZE) {
                throw new IOException("it is full");
            }
            slab.write(offset, bytes);
        } catch (IOException e) {
            throw unwritable(file, e);
        }
        end = offset + bytes.length;
        records = record + 1;
    }

    @Override
    public void close() {
        try {
            slab.close();
        } catch (IOException e) {
            // Each record was brought to the disk when it was written.
            return;
        }
    }

    /** Kinds of records. */
    enum Kind {
        /** The change, with both layouts; nothing was touched yet. */
        PLANNED,
        /** A step is about to destroy a piece. */
        DESTROYS,
        /** A step is about to make a piece. */
        MAKES,
        /** NVML said no to making it: what lies there is not ours. */
        REFUSED,
        /** The step was made, and read back. */
        DONE,
        /** From here on it is the way back. */
        UNDOES,
        /** All is as wanted. */
        COMMITTED,
        /** All is as before. */
        ROLLED_BACK
    }
}
