// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * A thread's buffer for the arguments of one call: taken from the start again by each call, so that polling allocates
 * no native memory. What it hands out is valid until the thread's next call of {@link #fresh()}.
 */
public final class Scratch {
    private static final long INITIAL_BYTES = 4096;
    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private MemorySegment memory = Arena.ofAuto().allocate(INITIAL_BYTES, 8);
    private long taken;

    private Scratch() {}

    /**
     * This thread's buffer, empty again.
     *
     * @return the buffer
     */
    public static Scratch fresh() {
        Scratch scratch = OF_THREAD.get();
        scratch.taken = 0;
        return scratch;
    }

    /**
     * Room for a value or struct, filled with zeros.
     *
     * @param layout what is to fit
     * @return the segment
     */
    public MemorySegment take(MemoryLayout layout) {
        return take(layout.byteSize());
    }

    /**
     * Room for some bytes, aligned for any of NVML's types and filled with zeros.
     *
     * @param bytes how many
     * @return the segment
     */
    public MemorySegment take(long bytes) {
        long end = Math.addExact(taken, bytes);
        if (end > memory.byteSize()) {
            // Segments handed out before keep the old memory alive; only later ones come from the new.
            memory = Arena.ofAuto().allocate(Math.max(2 * memory.byteSize(), bytes), 8);
            taken = 0;
            end = bytes;
        }
        MemorySegment segment = memory.asSlice(taken, bytes).fill((byte) 0);
        taken = end + 7 & ~7L;
        return segment;
    }
}
