// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A kind of GPU instance that a card offers (nvml.h, nvmlGpuInstanceProfileInfo_v3_t and
 * nvmlDeviceGetGpuInstancePossiblePlacements_v2).
 *
 * @param id its id on this card, by which NVML creates it; the same id is another profile on other cards
 * @param name such as {@code 1g.18gb+me}
 * @param slices compute slices, 1 or more
 * @param most NVML's instanceCount, which some drivers get wrong; 0 where it is not known
 * @param multiprocessors SMs
 * @param engines the other engines of one instance
 * @param memoryMebibytes memory of one instance; differs between drivers and is no key
 * @param placements where it may lie, whatever is there now, in memory slices
 * @param computes the compute instances it offers; empty where no such instance was there to be asked
 */
public record GpuProfile(
        int id,
        String name,
        int slices,
        int most,
        int multiprocessors,
        Engines engines,
        long memoryMebibytes,
        List<Placement> placements,
        List<ComputeProfile> computes) {
    /** Largest first: by memory slices, then compute slices, then id. */
    public static final Comparator<GpuProfile> LARGEST_FIRST = Comparator.comparingInt(GpuProfile::size)
            .thenComparingInt(GpuProfile::slices)
            .reversed()
            .thenComparingInt(GpuProfile::id);

    private static final String NVML_PREFIX = "MIG ";

    /** Takes copies of the lists, and the name without NVML's {@code MIG}. */
    public GpuProfile {
        name = bare(name);
        placements = placements.stream()
                .sorted(Comparator.comparingInt(Placement::start))
                .toList();
        computes = List.copyOf(computes);
    }

    static String bare(String name) {
        return name.startsWith(NVML_PREFIX) ? name.substring(NVML_PREFIX.length()) : name;
    }

    /**
     * Memory slices of one instance.
     *
     * @return its size; 0 where it has no place at all
     */
    public int size() {
        return placements.isEmpty() ? 0 : placements.getFirst().size();
    }

    /**
     * How many there can be on an empty card, as far as this profile alone tells. The count of the driver holds only as
     * far as there are places: it is wrong on some A30.
     *
     * @return the number
     */
    public int limit() {
        return most > 0 ? Math.min(most, placements.size()) : placements.size();
    }

    /**
     * The place that starts at a slice.
     *
     * @param start a memory slice
     * @return the place, empty where none starts there
     */
    public Optional<Placement> placementAt(int start) {
        return placements.stream().filter(place -> place.start() == start).findFirst();
    }

    /**
     * The compute instance that takes all of a GPU instance. Of several with as many slices it is the one with the most
     * SMs: a GPU instance of one slice with twice the memory has 26 SMs on an H200, and its first profile of one slice
     * takes 16 of them.
     *
     * @return it, empty where the compute instances are not known
     */
    public Optional<ComputeProfile> fullCompute() {
        return computes.stream()
                .filter(compute -> compute.slices() == slices)
                .max(Comparator.comparingInt(ComputeProfile::multiprocessors)
                        .thenComparing(
                                Comparator.comparingInt(ComputeProfile::id).reversed()));
    }
}
