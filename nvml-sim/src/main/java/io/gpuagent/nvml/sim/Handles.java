// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the opaque pointers that callers hold stand for. */
final class Handles {
    private static final int BYTES = 64;

    private final Arena arena;
    private final Map<Long, Object> meanings = new HashMap<>();
    private final Deque<Long> released = new ArrayDeque<>();
    private boolean isReusing;

    Handles(Arena arena) {
        this.arena = arena;
    }

    /** Real memory stands behind a handle: a caller that looks into it reads zeros and does not crash. */
    synchronized long add(Object meaning) {
        @Nullable Long old = isReusing ? released.pollFirst() : null;
        long address = old == null ? arena.allocate(BYTES).address() : old;
        meanings.put(address, meaning);
        return address;
    }

    /** Makes a handle stand for something newer of the same kind. */
    synchronized void replace(long address, Object meaning) {
        meanings.put(address, meaning);
    }

    synchronized void remove(long address) {
        if (meanings.remove(address) != null) {
            released.addLast(address);
        }
    }

    /** Whether handles that died are given out again, for something else. */
    synchronized void reuse(boolean reuse) {
        isReusing = reuse;
    }

    synchronized @Nullable Object find(long address) {
        return meanings.get(address);
    }

    /**
     * What a handle stands for.
     *
     * @throws Refusal with INVALID_ARGUMENT where it is dead or of another kind
     */
    <T> T get(long address, Class<T> type) {
        @Nullable Object meaning = find(address);
        if (!type.isInstance(meaning)) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return type.cast(meaning);
    }
}
