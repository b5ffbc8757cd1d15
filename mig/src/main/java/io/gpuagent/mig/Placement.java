// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

/**
 * A stretch of slices: of memory slices for a GPU instance, of compute slices for a compute instance (nvml.h,
 * nvmlGpuInstancePlacement_t and nvmlComputeInstancePlacement_t).
 *
 * @param start its first slice, 0 or more
 * @param size how many slices, 1 or more
 */
public record Placement(int start, int size) {
    /** The most slices of an axis; the widest card seen has 12. */
    static final int WIDEST = 62;

    /** Refuses what cannot be. */
    public Placement {
        if (start < 0 || size < 1 || size > WIDEST - start) {
            throw new IllegalArgumentException("no placement: start " + start + ", size " + size);
        }
    }

    /**
     * The slice behind its last one.
     *
     * @return start + size
     */
    public int end() {
        return start + size;
    }

    /**
     * Its slices as bits, the lowest of which is slice 0.
     *
     * @return the bits
     */
    public long mask() {
        return ((1L << size) - 1) << start;
    }

    /**
     * Whether both have a slice in common.
     *
     * @param other another stretch of the same axis
     * @return whether they do
     */
    public boolean overlaps(Placement other) {
        return (mask() & other.mask()) != 0;
    }
}
