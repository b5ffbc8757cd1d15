// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A GPU instance that exists, or has existed. Guarded by the lock of its GPU. */
final class MigGpuInstance {
    private final SimulatedGpu gpu;
    private final long number;
    private final int id;
    private final MigProfile profile;
    private final Placement placement;
    private final List<ComputeProfile> computeProfiles;
    /** By id. */
    private final NavigableMap<Integer, MigComputeInstance> computes = new TreeMap<>();

    private long handle;
    private double percentSeconds;
    private double keptPercentSeconds;

    MigGpuInstance(
            SimulatedGpu gpu,
            long number,
            int id,
            MigProfile profile,
            Placement placement,
            List<ComputeProfile> computeProfiles) {
        this.gpu = gpu;
        this.number = number;
        this.id = id;
        this.profile = profile;
        this.placement = placement;
        this.computeProfiles = computeProfiles;
    }

    SimulatedGpu gpu() {
        return gpu;
    }

    /** Which instance of its GPU it is, counted in the order in which they were made: no two have the same. */
    long number() {
        return number;
    }

    int id() {
        return id;
    }

    MigProfile profile() {
        return profile;
    }

    Placement placement() {
        return placement;
    }

    long handle() {
        return handle;
    }

    void handle(long address) {
        handle = address;
    }

    /** Counts a second in which its SMs did this part of full work. */
    void count(double work) {
        percentSeconds += work * 100;
    }

    /** The sum of the utilization of each second. */
    double percentSeconds() {
        return percentSeconds;
    }

    /** Remembers what has been counted, for {@link #saved}. */
    void keep() {
        keptPercentSeconds = percentSeconds;
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("number", number);
        members.put("id", id);
        members.put("profile", profile.id());
        members.put("start", placement.start());
        members.put("size", placement.size());
        members.put("percent-seconds", keptPercentSeconds);
        members.put(
                "computes",
                computes.values().stream().map(MigComputeInstance::saved).toList());
        return members;
    }

    void restoreCount(JsonTree saved) {
        percentSeconds = saved.number("percent-seconds", 0);
        keep();
    }

    NavigableMap<Integer, MigComputeInstance> computes() {
        return computes;
    }

    List<ComputeProfile> computeProfiles() {
        return computeProfiles;
    }

    Optional<ComputeProfile> computeProfile(int kind) {
        return computeProfiles.stream()
                .filter(profile -> profile.kind() == kind)
                .findFirst();
    }

    /** The compute instance that takes all of it. */
    ComputeProfile wholeCompute() {
        return computeProfiles.stream()
                .filter(offered -> offered.name().equals(profile.name()))
                .findFirst()
                .orElseThrow();
    }

    boolean hasRoom(Placement at) {
        return computes.values().stream()
                .noneMatch(compute -> compute.placement().overlaps(at));
    }

    Optional<Placement> place(ComputeProfile wanted, SimulatedMig.Placing policy) {
        Comparator<Placement> byStart = Comparator.comparingInt(Placement::start);
        return wanted.placements().stream()
                .filter(this::hasRoom)
                .min(policy == SimulatedMig.Placing.FIRST_START ? byStart : byStart.reversed());
    }

    int capacity(ComputeProfile wanted) {
        return (int) wanted.placements().stream().filter(this::hasRoom).count();
    }

    /** The lowest id that is free, as the driver gives them. */
    int nextComputeId() {
        int next = 0;
        while (computes.containsKey(next)) {
            next++;
        }
        return next;
    }
}
