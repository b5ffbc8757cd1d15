// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A kind of GPU instance that a card offers.
 *
 * @param kind its number among all kinds there are (nvml.h, NVML_GPU_INSTANCE_PROFILE_*)
 * @param id its number on this card, by which instances are created
 * @param name such as {@code 1g.18gb+me}
 * @param slices compute slices
 * @param most how many of it fit on a card
 * @param multiprocessors SMs
 * @param engines the other engines
 * @param mebibytes memory
 * @param placements where it may lie
 */
record MigProfile(
        int kind,
        int id,
        String name,
        int slices,
        int most,
        int multiprocessors,
        Engines engines,
        long mebibytes,
        List<Placement> placements) {
    static MigProfile parse(JsonTree tree) {
        int size = tree.smallInteger("size");
        List<Placement> placements = new ArrayList<>();
        for (long start : tree.integers("starts")) {
            placements.add(new Placement(Math.toIntExact(start), size));
        }
        return new MigProfile(
                tree.smallInteger("kind"),
                tree.smallInteger("id"),
                tree.text("name"),
                tree.smallInteger("slices"),
                tree.smallInteger("most"),
                tree.smallInteger("sm"),
                Engines.parse(tree),
                tree.integer("mib"),
                List.copyOf(placements));
    }

    int size() {
        return placements.getFirst().size();
    }

    boolean hasGraphics() {
        return name.endsWith("+gfx");
    }

    long bytes() {
        return mebibytes << 20;
    }
}
