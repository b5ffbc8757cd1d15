// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;

/** A compute instance that exists, or has existed; it is also what NVML calls a MIG device. Guarded by the lock of its GPU. */
final class MigComputeInstance {
    private final MigGpuInstance owner;
    private final long number;
    private final int id;
    private final ComputeProfile profile;
    private final Placement placement;
    private OptionalInt percent = OptionalInt.empty();
    private long handle;
    private MigDevice device;

    MigComputeInstance(MigGpuInstance owner, long number, int id, ComputeProfile profile, Placement placement) {
        this.owner = owner;
        this.number = number;
        this.id = id;
        this.profile = profile;
        this.placement = placement;
        this.device = new MigDevice(this, 0, -1);
    }

    SimulatedGpu gpu() {
        return owner.gpu();
    }

    MigGpuInstance owner() {
        return owner;
    }

    /** Which instance of its GPU it is, as {@link MigGpuInstance#number}. */
    long number() {
        return number;
    }

    int id() {
        return id;
    }

    Map<String, Object> saved() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("number", number);
        members.put("id", id);
        members.put("profile", profile.kind());
        members.put("start", placement.start());
        members.put("size", placement.size());
        percent.ifPresent(value -> members.put("percent", value));
        return members;
    }

    ComputeProfile profile() {
        return profile;
    }

    Placement placement() {
        return placement;
    }

    /** Pinned utilization of its SMs, 0..100. */
    OptionalInt percent() {
        return percent;
    }

    void percent(OptionalInt pinned) {
        percent = pinned;
    }

    long handle() {
        return handle;
    }

    void handle(long address) {
        handle = address;
    }

    MigDevice device() {
        return device;
    }

    void device(MigDevice made) {
        device = made;
    }

    /**
     * The driver derives it from chip, GPU instance id and graphics engine (open-gpu-kernel-modules, gpu_uuid.c): who
     * makes an instance anew at the same place gets the old UUID again.
     */
    String uuid() {
        String place = gpu().uuid() + "/" + owner.id() + "/" + placement.start();
        return "MIG-" + UUID.nameUUIDFromBytes(place.getBytes(StandardCharsets.UTF_8));
    }

    /** The form of R450 to R460, which newer drivers still accept. */
    String legacyUuid() {
        return "MIG-" + gpu().uuid() + "/" + owner.id() + "/" + id;
    }
}
