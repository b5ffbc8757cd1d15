// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.apply;

import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigException;
import io.gpuagent.mig.MigGpu;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.read.OwnedInstances;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which GPU instances of one GPU are ours: made by this agent, or adopted. Kept by profile and place, in a file that is
 * replaced as a whole. An instance that was seen to be gone is ours no more, should another come in its place; one that is
 * destroyed and made again by others between two looks is not told apart, for the card gives it the same id. A file that
 * cannot be read means that nothing is ours, so that nothing is destroyed for it.
 */
public final class MigOwnership implements OwnedInstances {
    private static final String HEADER = "gpu-agent mig ownership 1";

    private final Disk disk;
    private final Path file;
    private final String gpuUuid;
    private Set<Piece> owned = Set.of();
    private Optional<String> problem = Optional.empty();

    private MigOwnership(Disk disk, Path file, String gpuUuid) {
        this.disk = disk;
        this.file = file;
        this.gpuUuid = gpuUuid;
    }

    static MigOwnership read(Disk disk, Path file, String gpuUuid) {
        MigOwnership ownership = new MigOwnership(disk, file, gpuUuid);
        try {
            ownership.owned = parse(disk.read(file).map(bytes -> new String(bytes, StandardCharsets.UTF_8)), gpuUuid);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            ownership.problem = Optional.of("which MIG instances are gpu-agent's cannot be read from " + file + " ("
                    + e.getMessage() + "), so none is taken for its own; adopt those that are");
        }
        return ownership;
    }

    private static Set<Piece> parse(Optional<String> content, String gpuUuid) {
        if (content.isEmpty()) {
            return Set.of();
        }
        List<String> lines = content.get().lines().toList();
        Set<Piece> pieces = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            int number = i + 1;
            String text = Checksummed.text(lines.get(i))
                    .orElseThrow(() -> new IllegalArgumentException("line " + number + " is damaged"));
            if (i > 0) {
                pieces.add(Piece.parse(text));
            } else if (!text.equals(HEADER + " " + gpuUuid)) {
                throw new IllegalArgumentException("it is not the file of " + gpuUuid);
            }
        }
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("it is empty");
        }
        return pieces;
    }

    /**
     * Why the file could not be read.
     *
     * @return one sentence; empty where it could
     */
    public Optional<String> problem() {
        return problem;
    }

    @Override
    public synchronized Ownership of(String uuid, int profileId, Placement placement) {
        boolean isOurs = uuid.equals(gpuUuid) && owned.contains(Piece.of(profileId, placement));
        return isOurs ? Ownership.OWN : Ownership.FOREIGN;
    }

    boolean owns(GpuInstance instance) {
        return owned.contains(Piece.of(instance));
    }

    void adopt(GpuInstance instance) throws MigException {
        claim(Set.of(Piece.of(instance)));
    }

    /** Says of pieces that are about to be made that they are ours. */
    synchronized void claim(Set<Piece> made) throws MigException {
        Set<Piece> more = new HashSet<>(owned);
        made.stream().filter(Piece::isGpuInstance).forEach(more::add);
        write(more);
    }

    /** Forgets those that do not exist. */
    void retain(MigGpu live) throws MigException {
        retain(Piece.all(live), Set.of());
    }

    /** Forgets those that do not exist, and those that somebody else has made. */
    synchronized void retain(Set<Piece> live, Set<Piece> foreign) throws MigException {
        Set<Piece> fewer = new HashSet<>(owned);
        fewer.retainAll(live);
        fewer.removeAll(foreign);
        write(fewer);
    }

    private void write(Set<Piece> pieces) throws MigException {
        if (pieces.equals(owned) && problem.isEmpty()) {
            return;
        }
        StringBuilder content = new StringBuilder(Checksummed.line(HEADER + " " + gpuUuid));
        Set<String> texts = new TreeSet<>();
        pieces.forEach(piece -> texts.add(piece.text()));
        texts.forEach(text -> content.append(Checksummed.line(text)));
        try {
            disk.replace(file, content.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new MigException(
                    MigException.Cause.STORAGE,
                    "which MIG instances are gpu-agent's cannot be written to " + file + ": " + e.getMessage());
        }
        owned = Set.copyOf(pieces);
        problem = Optional.empty();
    }
}
