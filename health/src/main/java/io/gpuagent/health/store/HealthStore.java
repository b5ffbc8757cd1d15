// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.store;

import io.gpuagent.health.fold.Moment;
import io.gpuagent.health.fold.NodeFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The facts on disk: {@code events} and, from before it was last written anew, {@code events.1}. Each file begins with all
 * facts and goes on with what changed, batch by batch. Not safe for several threads; one process at a time, which its
 * folder's lock sees to.
 */
public final class HealthStore {
    /** A file that has grown to this is written anew. */
    static final int CAP = 1024 * 1024;
    /** All facts of sixteen GPUs full of incidents take 2 MiB. */
    private static final long MAX = 16L * 1024 * 1024;

    private final StoreDisk disk;
    private final Path file;
    private final Path former;
    private final Path next;
    private final Path damaged;
    private final int cap;

    private NodeFacts stored = NodeFacts.NOTHING;
    /** Where the next batch goes; -1 where the file has to be written anew first. */
    private long end = -1;

    HealthStore(Path folder, StoreDisk disk, int cap) {
        this.disk = disk;
        this.file = folder.resolve("events");
        this.former = folder.resolve("events.1");
        this.next = folder.resolve("events.new");
        this.damaged = folder.resolve("events.damaged");
        this.cap = cap;
    }

    /**
     * The store in a folder.
     *
     * @param folder the folder; it is made with the first batch
     * @return the store
     */
    public static HealthStore in(Path folder) {
        return new HealthStore(folder, StoreDisk.REAL, CAP);
    }

    /**
     * What was read.
     *
     * @param facts the facts; {@link NodeFacts#NOTHING} where there are none
     * @param problem one sentence on what could not be read; empty where all could
     */
    public record Loaded(NodeFacts facts, Optional<String> problem) {}

    /**
     * Reads what is stored. Never fails: what cannot be read is set aside and told.
     *
     * @param now the present moment
     * @return the facts
     */
    public Loaded load(Moment now) {
        String trouble = "";
        // A crash between two renames leaves the newest under its first name.
        for (Path candidate : new Path[] {file, next, former}) {
            try {
                Optional<byte[]> bytes = disk.read(candidate, MAX);
                if (bytes.isEmpty() || bytes.get().length == 0) {
                    continue;
                }
                FactsReader reader = new FactsReader(now);
                reader.read(bytes.get());
                if (reader.batches() > 0) {
                    return loaded(candidate, reader, trouble);
                }
                trouble = candidate + " holds nothing that can be read";
            } catch (IOException e) {
                trouble = candidate + " cannot be read: " + e.getMessage();
            }
            setAside(candidate);
        }
        return new Loaded(NodeFacts.NOTHING, trouble.isEmpty() ? Optional.empty() : Optional.of(trouble));
    }

    private Loaded loaded(Path from, FactsReader reader, String before) {
        stored = reader.facts();
        boolean isSound = from.equals(file) && reader.damaged() == 0;
        end = isSound ? reader.end() : -1;
        String trouble = reader.damaged() == 0
                ? before
                : from + " is damaged: " + reader.damaged() + " of its batches are left out";
        return new Loaded(stored, trouble.isEmpty() ? Optional.empty() : Optional.of(trouble));
    }

    private void setAside(Path unreadable) {
        try {
            disk.rename(unreadable, damaged);
        } catch (IOException stays) {
            // Then it is written over: there was nothing in it that could be read.
            end = -1;
        }
    }

    /**
     * Stores facts; they are on the disk when it returns. Writes what has changed since the last time only.
     *
     * @param facts the facts
     * @param now the present moment
     * @throws IOException when they could not be written; the next call writes all of them
     */
    public void write(NodeFacts facts, Moment now) throws IOException {
        boolean isAppended = end >= 0 && end < cap;
        byte[] batch = new FactsWriter(now)
                .batch(isAppended ? stored : NodeFacts.NOTHING, facts)
                .getBytes(StandardCharsets.UTF_8);
        long at = end;
        end = -1;
        if (isAppended) {
            disk.write(file, at, batch);
            end = at + batch.length;
        } else {
            disk.write(next, 0, batch);
            if (disk.read(file, MAX).isPresent()) {
                disk.rename(file, former);
            }
            disk.rename(next, file);
            end = batch.length;
        }
        stored = facts;
    }
}
