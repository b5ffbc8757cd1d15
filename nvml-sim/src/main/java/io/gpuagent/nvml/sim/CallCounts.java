// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** What was called and how often, and what went wrong inside the simulator itself. */
public final class CallCounts {
    static final int NO_GPU = -1;

    /** Failures that are kept; the first ones tell most. */
    private static final int MOST_FAILURES = 20;

    private final Map<Key, LongAdder> counts = new ConcurrentHashMap<>();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final Deque<LoggedCall> log = new ArrayDeque<>();
    private volatile int mostLogged;

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
     * Calls of all functions in whose name a word stands: none with {@code Destroy} is what a tool that only looks makes.
     *
     * @param word a part of C names, in their spelling
     * @return how many
     */
    public long ofAllWith(String word) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().function().contains(word))
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }

    /**
     * Starts to keep the calls themselves, in the order in which they return.
     *
     * @param most how many; the oldest go first. 0 ends it
     */
    public void keep(int most) {
        mostLogged = most;
        synchronized (log) {
            log.clear();
        }
    }

    /**
     * The calls that have returned since {@link #keep}.
     *
     * @return oldest first
     */
    public List<LoggedCall> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    void log(String function, int gpu, int code, SimulatedClock clock) {
        if (mostLogged == 0) {
            return;
        }
        synchronized (log) {
            while (log.size() >= mostLogged) {
                log.removeFirst();
            }
            log.addLast(new LoggedCall(function, gpu, code, clock.elapsedNanos()));
        }
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
        synchronized (log) {
            log.clear();
        }
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
