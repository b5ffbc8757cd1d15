// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The changes of one GPU that were carried out, oldest first; a line each. The oldest go when there are many. */
public final class History {
    private static final int MOST = 100;

    private final Disk disk;
    private final Path file;

    History(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    /**
     * A change.
     *
     * @param id its number
     * @param at when it was begun
     * @param before the layout before
     * @param after the layout behind it
     */
    public record Entry(long id, Instant at, SavedLayout before, SavedLayout after) {}

    /**
     * All that is known; a damaged line is left out.
     *
     * @return the changes, oldest first
     * @throws MigException when the file cannot be read
     */
    public List<Entry> entries() throws MigException {
        try {
            List<Entry> entries = new ArrayList<>();
            String content = disk.read(file)
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                    .orElse("");
            content.lines()
                    .forEach(line ->
                            Checksummed.text(line).flatMap(History::parse).ifPresent(entries::add));
            return entries;
        } catch (IOException e) {
            throw failed("read", e);
        }
    }

    /**
     * The change to go back behind.
     *
     * @return the last one; empty where there was none
     * @throws MigException when the file cannot be read
     */
    public Optional<Entry> last() throws MigException {
        List<Entry> entries = entries();
        return entries.isEmpty() ? Optional.empty() : Optional.of(entries.getLast());
    }

    /** Adds a change that was carried out, unless it is there. */
    void add(ChangeRecord change) throws MigException {
        List<Entry> entries = new ArrayList<>(entries());
        if (change.end() != ChangeRecord.End.COMMITTED
                || entries.stream().anyMatch(entry -> entry.id() == change.id())) {
            return;
        }
        entries.add(new Entry(change.id(), change.at(), change.before(), change.after()));
        StringBuilder content = new StringBuilder();
        entries.stream()
                .skip(Math.max(0, entries.size() - MOST))
                .forEach(entry -> content.append(Checksummed.line(text(entry))));
        try {
            disk.replace(file, content.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw failed("written", e);
        }
    }

    private MigException failed(String what, IOException e) {
        return new MigException(
                MigException.Cause.STORAGE,
                "the history of MIG changes in " + file + " cannot be " + what + ": " + e.getMessage());
    }

    private static String text(Entry entry) {
        return entry.id() + "|" + entry.at() + "|" + entry.before().text() + "|"
                + entry.after().text();
    }

    private static Optional<Entry> parse(String text) {
        String[] parts = text.split("\\|", -1);
        try {
            return Optional.of(new Entry(
                    Long.parseLong(parts[0]),
                    Instant.parse(parts[1]),
                    SavedLayout.parse(parts[2]),
                    SavedLayout.parse(parts[3])));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeException otherVersion) {
            return Optional.empty();
        }
    }
}
