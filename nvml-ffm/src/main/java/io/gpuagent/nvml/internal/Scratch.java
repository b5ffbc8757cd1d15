// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A thread's buffer for the arguments of one call: taken from the start again by each call, so that polling allocates
 * no memory, neither native nor of the heap. What it hands out may be used until the thread's next call of
 * {@link #fresh()}; the memory itself stays as long as the thread.
 */
public final class Scratch {
    private static final long INITIAL_BYTES = 4096;
    /** How many segments are kept to be handed out again; a power of two. */
    private static final int KEPT = 64;

    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    private final Arena arena = Arena.ofAuto();
    private MemorySegment memory = arena.allocate(INITIAL_BYTES, Long.BYTES);
    private long taken;

    /** Segments that were handed out, at a place that follows from where they lie and how long they are. */
    private @Nullable MemorySegment[] kept = new MemorySegment[KEPT];

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
            grow(bytes);
            end = bytes;
        }
        MemorySegment segment = slice(taken, bytes).fill((byte) 0);
        taken = end + 7 & ~7L;
        return segment;
    }

    private void grow(long bytes) {
        // What was handed out before stays where it is; only what follows comes from the new memory.
        memory = arena.allocate(Math.max(2 * memory.byteSize(), bytes), Long.BYTES);
        kept = new MemorySegment[KEPT];
        taken = 0;
    }

    private MemorySegment slice(long from, long bytes) {
        // A poll asks the same again and again, so the segment is most likely there.
        int place = (int) (from / Long.BYTES * 7 + bytes) & KEPT - 1;
        MemorySegment known = kept[place];
        if (known == null || known.byteSize() != bytes || known.address() != memory.address() + from) {
            known = memory.asSlice(from, bytes);
            kept[place] = known;
        }
        return known;
    }
}
