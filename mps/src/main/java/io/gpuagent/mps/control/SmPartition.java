// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A static partition of a GPU's multiprocessors, from CUDA 13.1 on. After NVIDIA's documentation and public fixtures;
 * never seen on hardware by this project.
 *
 * @param device the GPU's UUID or its beginning
 * @param id the partition's id, base64, which may hold slashes
 */
public record SmPartition(String device, String id) {
    private static final Pattern CREATED =
            Pattern.compile("(?:Partition )?((?:GPU|MIG)-[^/\\s]+)/(\\S+?)(?: created)?");

    /**
     * As a client names it in CUDA_MPS_SM_PARTITION.
     *
     * @return {@code DEVICE/ID}
     */
    public String reference() {
        return device + "/" + id;
    }

    /** The documentation has the bare reference, a real daemon prints {@code Partition ... created}. */
    static SmPartition created(String output) {
        Matcher matcher = CREATED.matcher(output.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(output);
        }
        return new SmPartition(matcher.group(1), matcher.group(2));
    }

    /** A row of {@code lspart}. */
    public sealed interface Row {
        /**
         * A GPU.
         *
         * @param device its UUID or the beginning of it
         * @param freeChunks chunks that no partition has; a chunk is 8 multiprocessors from Hopper on
         * @param usedChunks chunks that partitions have
         * @param freeMultiprocessors multiprocessors that no partition has
         * @param usedMultiprocessors multiprocessors that partitions have
         */
        record Device(String device, int freeChunks, int usedChunks, int freeMultiprocessors, int usedMultiprocessors)
                implements Row {}

        /**
         * A partition.
         *
         * @param partition which
         * @param chunks its size in chunks
         * @param multiprocessors its size in multiprocessors
         * @param inUse whether it has clients
         */
        record Partition(SmPartition partition, int chunks, int multiprocessors, boolean inUse) implements Row {}
    }

    /** Rows of both layouts: with a dash in each empty cell, as documented, and without. */
    static List<Row> list(String output) {
        List<Row> rows = new ArrayList<>();
        for (String line : output.lines().map(String::strip).toList()) {
            // Everything else is a title or a ruler.
            if (line.startsWith("GPU-") || line.startsWith("MIG-")) {
                List<String> cells = List.of(line.split("\\s+", -1)).stream()
                        .filter(cell -> !cell.equals("-"))
                        .toList();
                rows.add(row(line, cells));
            }
        }
        return List.copyOf(rows);
    }

    private static Row row(String line, List<String> cells) {
        if (cells.size() != 5) {
            throw new IllegalArgumentException(line);
        }
        String last = cells.getLast();
        if (last.equals("Yes") || last.equals("No")) {
            return new Row.Partition(
                    new SmPartition(cells.get(0), cells.get(1)),
                    Integer.parseInt(cells.get(2)),
                    Integer.parseInt(cells.get(3)),
                    last.equals("Yes"));
        }
        return new Row.Device(
                cells.get(0),
                Integer.parseInt(cells.get(1)),
                Integer.parseInt(cells.get(2)),
                Integer.parseInt(cells.get(3)),
                Integer.parseInt(last));
    }
}
