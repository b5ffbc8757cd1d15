// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.MigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is written down about the MIG mode of one GPU: whether it is on by our will, which a boot restores where the card
 * forgets it, and a change of it that is under way, so that a crash leaves no pending mode behind which some later reset
 * would bring. One line with a checksum; a file that cannot be read says neither.
 */
final class ModeRecord {
    private static final String HEADER = "mig-mode 1";

    private final Disk disk;
    private final Path file;
    private boolean isOurs;
    private @Nullable Open open;

    /**
     * A change that is under way.
     *
     * @param enabled the mode that is wanted
     * @param formerPending the pending mode before, to be written back
     * @param leavePending whether the wanted mode may stay pending
     */
    record Open(boolean enabled, boolean formerPending, boolean leavePending) {}

    private ModeRecord(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    static ModeRecord read(Disk disk, Path file) throws MigException {
        ModeRecord record = new ModeRecord(disk, file);
        try {
            disk.read(file)
                    .map(bytes ->
                            new String(bytes, StandardCharsets.UTF_8).lines().toList())
                    .filter(lines -> lines.size() == 1)
                    .flatMap(lines -> Checksummed.text(lines.getFirst()))
                    .ifPresent(record::parse);
        } catch (IOException e) {
            throw new MigException(
                    MigException.Cause.STORAGE,
                    "what is written down about the MIG mode in " + file + " cannot be read: " + e.getMessage());
        }
        return record;
    }

    private void parse(String text) {
        List<String> words = List.of(text.split(" ", -1));
        if (!text.startsWith(HEADER + " ") || words.size() < 3) {
            return;
        }
        isOurs = words.get(2).equals("on");
        if (words.size() == 6) {
            open = new Open(
                    words.get(3).equals("to-on"),
                    words.get(4).equals("from-on"),
                    words.get(5).equals("may-stay"));
        }
    }

    /** Whether the mode is on because of us. */
    boolean isOurs() {
        return isOurs;
    }

    Optional<Open> open() {
        return Optional.ofNullable(open);
    }

    void begin(Open change) throws MigException {
        write(isOurs, change);
    }

    /** The change is at its end; the mode is as it was, whoever turned it on. */
    void end() throws MigException {
        write(isOurs, null);
    }

    /** The change is at its end, or there was nothing to change: this is what is wanted. */
    void end(boolean enabled) throws MigException {
        write(enabled, null);
    }

    private void write(boolean ours, @Nullable Open change) throws MigException {
        if (ours == isOurs && change == null && open == null) {
            return;
        }
        String text = HEADER + (ours ? " on" : " off");
        if (change != null) {
            text += (change.enabled() ? " to-on" : " to-off")
                    + (change.formerPending() ? " from-on" : " from-off")
                    + (change.leavePending() ? " may-stay" : " must-go");
        }
        try {
            disk.replace(file, Checksummed.line(text).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new MigException(
                    MigException.Cause.STORAGE,
                    "the change of the MIG mode cannot be written down in " + file + ": " + e.getMessage());
        }
        isOurs = ours;
        open = change;
    }
}
