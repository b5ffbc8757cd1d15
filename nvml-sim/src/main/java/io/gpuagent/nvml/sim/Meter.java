// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a GPU has counted up to the start of a second, as its readings of every second before it were; and the readings
 * of the last seconds one by one. Guarded by the lock of the GPU.
 */
final class Meter {
    /** More than the longest buffer of samples that NVML keeps. */
    static final int HISTORY_SECONDS = 32;

    private static final int REASON_BITS = 32;

    private final long[] limitedSeconds = new long[REASON_BITS];
    private final long[] seconds = new long[HISTORY_SECONDS];
    private final int[] gpuPercents = new int[HISTORY_SECONDS];
    private final int[] memoryPercents = new int[HISTORY_SECONDS];
    private final int[] powers = new int[HISTORY_SECONDS];
    private boolean isRestarted;
    private long energyMillijoules;
    private double gpuPercentSeconds;
    private double memoryPercentSeconds;

    Meter(long energyMillijoules) {
        this.energyMillijoules = energyMillijoules;
        Arrays.fill(seconds, Long.MIN_VALUE);
    }

    /** What a counter stood at when it was captured; nothing after a restart. */
    long captured(long count) {
        return isRestarted ? 0 : count;
    }

    /** Forgets energy and times; what performance monitoring takes the differences of goes on. */
    void restart() {
        isRestarted = true;
        energyMillijoules = 0;
        Arrays.fill(limitedSeconds, 0);
    }

    void count(long second, int gpuPercent, int memoryPercent, int powerMilliwatts, long reasons) {
        // A milliwatt for a second is a millijoule.
        energyMillijoules += powerMilliwatts;
        gpuPercentSeconds += gpuPercent;
        memoryPercentSeconds += memoryPercent;
        for (int bit = 0; bit < REASON_BITS; bit++) {
            limitedSeconds[bit] += (reasons >>> bit) & 1;
        }
        int slot = slot(second);
        seconds[slot] = second;
        gpuPercents[slot] = gpuPercent;
        memoryPercents[slot] = memoryPercent;
        powers[slot] = powerMilliwatts;
    }

    /** What it stands at; the readings of single seconds are not kept. */
    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("restarted", isRestarted);
        members.put("energy", energyMillijoules);
        members.put("gpu-percent-seconds", gpuPercentSeconds);
        members.put("memory-percent-seconds", memoryPercentSeconds);
        Map<Integer, Long> limited = new TreeMap<>();
        for (int bit = 0; bit < REASON_BITS; bit++) {
            if (limitedSeconds[bit] > 0) {
                limited.put(bit, limitedSeconds[bit]);
            }
        }
        members.put("limited-seconds", limited);
        return members;
    }

    void restore(JsonTree saved) {
        isRestarted = saved.flag("restarted", false);
        energyMillijoules = saved.integer("energy");
        gpuPercentSeconds = saved.number("gpu-percent-seconds", 0);
        memoryPercentSeconds = saved.number("memory-percent-seconds", 0);
        Arrays.fill(limitedSeconds, 0);
        JsonTree limited = saved.object("limited-seconds");
        limited.members().keySet().forEach(bit -> limitedSeconds[Integer.parseInt(bit)] = limited.integer(bit));
    }

    private static int slot(long second) {
        return (int) Math.floorMod(second, (long) HISTORY_SECONDS);
    }

    long energyMillijoules() {
        return energyMillijoules;
    }

    /** The sum of the utilization of each second. */
    double gpuPercentSeconds() {
        return gpuPercentSeconds;
    }

    double memoryPercentSeconds() {
        return memoryPercentSeconds;
    }

    /** For how long any of the reasons in a mask held the clocks down, in nanoseconds. */
    long limitedNanos(long mask) {
        long most = 0;
        for (int bit = 0; bit < REASON_BITS; bit++) {
            if (((mask >>> bit) & 1) == 1) {
                most = Math.max(most, limitedSeconds[bit]);
            }
        }
        return most * 1_000_000_000L;
    }

    /** Whether the readings of a second are still known. */
    boolean remembers(long second) {
        return seconds[slot(second)] == second;
    }

    int gpuPercent(long second) {
        return gpuPercents[slot(second)];
    }

    int memoryPercent(long second) {
        return memoryPercents[slot(second)];
    }

    int power(long second) {
        return powers[slot(second)];
    }
}
