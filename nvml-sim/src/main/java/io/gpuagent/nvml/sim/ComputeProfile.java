// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * A kind of compute instance that a GPU instance offers.
 *
 * @param kind its number among all kinds there are (nvml.h, NVML_COMPUTE_INSTANCE_PROFILE_*), which is also its id
 * @param name such as {@code 1c.3g.71gb}; that of the GPU instance where it takes all of it
 * @param slices compute slices
 * @param multiprocessors SMs
 * @param placements where it may lie
 */
record ComputeProfile(int kind, String name, int slices, int multiprocessors, List<Placement> placements) {
    /** How many kinds nvml.h knows (NVML_COMPUTE_INSTANCE_PROFILE_COUNT). */
    static final int KINDS = 8;

    private static final int ONE_SLICE_REV1 = 7;
    /** Slices by kind; 0 for the second kind of one slice. */
    private static final int[] SLICES = {1, 2, 3, 4, 7, 8, 6, 0};

    /**
     * The kinds that a GPU instance offers. The starts are those of the A100 in NVIDIA's MIG user guide; other cards
     * were not seen, but that one and two slices share a GPU instance of three is in the capture of an H200.
     */
    static List<ComputeProfile> of(MigProfile whole, MigDescription card) {
        List<ComputeProfile> profiles = new ArrayList<>();
        for (int kind = 0; kind < SLICES.length; kind++) {
            int slices = SLICES[kind];
            boolean isPart = slices < whole.slices() && (slices != 3 || whole.slices() > 4);
            boolean isOffered = isPart || slices == whole.slices();
            if (slices > 0 && isOffered) {
                int multiprocessors = Math.min(whole.multiprocessors(), slices * card.multiprocessorsPerSlice());
                boolean isAll = slices == whole.slices() && !hasTwoSizes(whole, card);
                profiles.add(new ComputeProfile(
                        kind,
                        isAll ? whole.name() : slices + "c." + whole.name(),
                        slices,
                        isAll ? whole.multiprocessors() : multiprocessors,
                        placements(slices, whole.slices())));
            }
        }
        if (hasTwoSizes(whole, card)) {
            profiles.add(new ComputeProfile(
                    ONE_SLICE_REV1, whole.name(), 1, whole.multiprocessors(), List.of(new Placement(0, 1))));
        }
        return List.copyOf(profiles);
    }

    /** A GPU instance of one slice with twice the memory has more SMs than one slice; a compute instance need not take all. */
    private static boolean hasTwoSizes(MigProfile whole, MigDescription card) {
        return whole.slices() == 1 && whole.multiprocessors() > card.multiprocessorsPerSlice();
    }

    private static List<Placement> placements(int slices, int of) {
        int stride = slices == 3 ? 4 : slices;
        List<Placement> placements = new ArrayList<>();
        for (int start = 0; start + slices <= of; start += stride) {
            placements.add(new Placement(start, slices));
        }
        return List.copyOf(placements);
    }

    int most() {
        return placements.size();
    }
}
