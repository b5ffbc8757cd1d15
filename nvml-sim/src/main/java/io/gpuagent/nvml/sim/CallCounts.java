// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** How often each function was called, and what went wrong inside the simulator itself. */
public final class CallCounts {
    static final int NO_GPU = -1;

    /** Failures that are kept; the first ones tell most. */
    private static final int MOST_FAILURES = 20;

    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();

    private record Key(String function, int gpu) {}

    CallCounts() {}

    void count(String function, int gpu) {
        counts.computeIfAbsent(new Key(function, gpu), key -> new LongAdder()).increment();
    }

    void failed(String function, Throwable failure) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(function + ": " + failure);
        }
    }

    /**
     * Calls of a function, whichever GPU it asked.
     *
     * @param function C name
     * @return how many
     */
    public long of(String function) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().function().equals(function))
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }

    /**
     * Calls of a function that asked one GPU.
     *
     * @param function C name
     * @param gpu its index
     * @return how many
     */
    public long of(String function, int gpu) {
        LongAdder count = counts.get(new Key(function, gpu));
        return count == null ? 0 : count.sum();
    }

    /**
     * All calls.
     *
     * @return how many, by C name
     */
    public SortedMap<String, Long> byFunction() {
        SortedMap<String, Long> sums = new TreeMap<>();
        counts.forEach((key, count) -> sums.merge(key.function(), count.sum(), Long::sum));
        return sums;
    }

    /** Starts to count from zero. */
    public void reset() {
        counts.clear();
    }

    /**
     * Calls that answered UNKNOWN because the simulator itself failed; a test expects none.
     *
     * @return function and exception of each
     */
    public List<String> failures() {
        return List.copyOf(failures);
    }
}
