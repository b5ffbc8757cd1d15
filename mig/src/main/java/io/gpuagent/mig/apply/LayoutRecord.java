// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.read.MigFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The layout of our own instances as the last change has left it, for the next boot, and for which load of the driver it
 * was looked at already. One line with a checksum; a file that cannot be read has nothing restored. A change that was
 * brought back writes nothing: what was there before is there still.
 */
final class LayoutRecord {
    private static final String HEADER = "mig-layout 1";
    private static final String NEVER = "-";

    private final Disk disk;
    private final Path file;
    private SavedLayout layout = new SavedLayout(List.of());
    private String load = NEVER;

    private LayoutRecord(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    static LayoutRecord read(Disk disk, Path file) throws MigException {
        LayoutRecord record = new LayoutRecord(disk, file);
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
                    "the layout for the next boot cannot be read from " + file + ": " + e.getMessage());
        }
        return record;
    }

    private void parse(String text) {
        String[] parts = text.split("\\|", -1);
        if (parts.length != 3 || !parts[0].equals(HEADER)) {
            return;
        }
        try {
            layout = SavedLayout.parse(parts[2]);
            load = parts[1];
        } catch (IllegalArgumentException | IndexOutOfBoundsException otherVersion) {
            layout = new SavedLayout(List.of());
        }
    }

    SavedLayout layout() {
        return layout;
    }

    /** Whether a load of the driver is the one that was looked at. */
    boolean isOf(String now) {
        return load.equals(now);
    }

    /** Writes down which of the instances are ours. */
    void save(MigFacts now, MigOwnership ownership) throws MigException {
        MigGpu gpu = now.gpu();
        List<GpuInstance> ours =
                gpu.instances().stream().filter(ownership::owns).toList();
        write(SavedLayout.of(new MigGpu(gpu.identity(), gpu.model(), gpu.card(), ours)), load);
    }

    void lookedAt(String now) throws MigException {
        write(layout, now);
    }

    private void write(SavedLayout saved, String of) throws MigException {
        if (saved.equals(layout) && of.equals(load)) {
            return;
        }
        try {
            disk.replace(
                    file,
                    Checksummed.line(HEADER + "|" + of + "|" + saved.text()).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new MigException(
                    MigException.Cause.STORAGE,
                    "the layout for the next boot cannot be written to " + file + ": " + e.getMessage());
        }
        layout = saved;
        load = of;
    }

    /** Instances of a layout whose profile the card does not have. */
    static Optional<String> unknownTo(MigGpu gpu, SavedLayout saved) {
        long lost = saved.instances().stream()
                .filter(instance -> gpu.card().byId(instance.profile()).isEmpty())
                .count();
        return lost == 0
                ? Optional.empty()
                : Optional.of(lost + " of " + saved.instances().size()
                        + " instances have profiles that this card or driver does not know, and are left out");
    }
}
