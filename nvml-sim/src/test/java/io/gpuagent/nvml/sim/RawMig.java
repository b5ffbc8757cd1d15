// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.ArrayList;
import java.util.List;

/** The MIG functions of a library in few words, for tests that read like a session with {@code nvidia-smi mig}. */
final class RawMig {
    private final RawNvml nvml;
    private final int gpu;

    RawMig(RawNvml nvml, int gpu) {
        this.nvml = nvml;
        this.gpu = gpu;
    }

    private long device() {
        return nvml.device(gpu);
    }

    /** Turns the mode on or off and gives the activation status. */
    int mode(int mode) {
        Guarded activation = nvml.bytes(4);
        int code = nvml.call("nvmlDeviceSetMigMode", device(), mode, activation);
        return code == 0 ? activation.getInt(0) : code;
    }

    /** Current and pending mode, such as {@code 0/1}. */
    String modes() {
        Guarded current = nvml.bytes(4);
        Guarded pending = nvml.bytes(4);
        nvml.call("nvmlDeviceGetMigMode", device(), current, pending);
        return current.getInt(0) + "/" + pending.getInt(0);
    }

    int create(int profile, int start, int size, Guarded handle) {
        Guarded placement =
                nvml.struct("nvmlGpuInstancePlacement_t").with("start", start).with("size", size);
        return nvml.call("nvmlDeviceCreateGpuInstanceWithPlacement", device(), profile, placement, handle);
    }

    int create(int profile, Guarded handle) {
        return nvml.call("nvmlDeviceCreateGpuInstance", device(), profile, handle);
    }

    /** Creates one that must succeed, and gives its handle. */
    long created(int profile, int start, int size) {
        Guarded handle = nvml.bytes(8);
        expectSuccess(create(profile, start, size, handle), "profile " + profile + "@" + start);
        return handle.getLong(0);
    }

    long createdCompute(long gpuInstance, int profile) {
        Guarded handle = nvml.bytes(8);
        expectSuccess(
                nvml.call("nvmlGpuInstanceCreateComputeInstance", gpuInstance, profile, handle),
                "compute profile " + profile);
        return handle.getLong(0);
    }

    int id(long gpuInstance) {
        return (int) info(gpuInstance).get("id");
    }

    Guarded info(long gpuInstance) {
        Guarded info = nvml.struct("nvmlGpuInstanceInfo_t");
        expectSuccess(nvml.call("nvmlGpuInstanceGetInfo", gpuInstance, info), "info");
        return info;
    }

    int capacity(int profile) {
        Guarded count = nvml.bytes(4);
        expectSuccess(nvml.call("nvmlDeviceGetGpuInstanceRemainingCapacity", device(), profile, count), "capacity");
        return count.getInt(0);
    }

    /** The MIG device handles by index; 0 where there is none. */
    List<Long> devices() {
        List<Long> handles = new ArrayList<>();
        int most = nvml.integer("nvmlDeviceGetMaxMigDeviceCount", gpu);
        for (int i = 0; i < most; i++) {
            Guarded handle = nvml.bytes(8);
            int code = nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", device(), i, handle);
            if (code != 0 && code != Code.NOT_FOUND) {
                throw new AssertionError("MIG device " + i + " answers " + code);
            }
            handles.add(code == 0 ? handle.getLong(0) : 0L);
        }
        return handles;
    }

    String uuid(long migDevice) {
        Guarded uuid = nvml.bytes(96);
        expectSuccess(nvml.call("nvmlDeviceGetUUID", migDevice, uuid, 96), "UUID");
        return uuid.text();
    }

    private static void expectSuccess(int code, String what) {
        if (code != 0) {
            throw new AssertionError(what + " answers " + code);
        }
    }
}
