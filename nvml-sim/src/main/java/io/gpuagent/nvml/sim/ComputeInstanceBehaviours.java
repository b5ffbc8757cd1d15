// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compute instances of a GPU instance. */
final class ComputeInstanceBehaviours {
    private ComputeInstanceBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlGpuInstanceGetComputeInstanceProfileInfo", ComputeInstanceBehaviours::profileInfo);
        behaviours.put("nvmlGpuInstanceGetComputeInstanceProfileInfoV", ComputeInstanceBehaviours::profileInfo);
        behaviours.put("nvmlGpuInstanceGetComputeInstancePossiblePlacements", ComputeInstanceBehaviours::placements);
        behaviours.put("nvmlGpuInstanceGetComputeInstanceRemainingCapacity", ComputeInstanceBehaviours::capacity);
        behaviours.put("nvmlGpuInstanceCreateComputeInstance", call -> create(call, null, 2));
        behaviours.put("nvmlGpuInstanceCreateComputeInstanceWithPlacement", call -> create(call, placement(call), 3));
        behaviours.put("nvmlGpuInstanceGetComputeInstances", ComputeInstanceBehaviours::list);
        behaviours.put("nvmlGpuInstanceGetComputeInstanceById", ComputeInstanceBehaviours::find);
        for (String symbol : new String[] {"nvmlComputeInstanceGetInfo", "nvmlComputeInstanceGetInfo_v2"}) {
            behaviours.put(symbol, ComputeInstanceBehaviours::info);
        }
        behaviours.put("nvmlComputeInstanceDestroy", ComputeInstanceBehaviours::destroy);
    }

    private static MigGpuInstance owner(Call call) {
        return call.target(MigGpuInstance.class);
    }

    /** Kind and id of a profile are the same number. */
    private static ComputeProfile profile(Call call) {
        int kind = call.integer(1);
        if (kind < 0 || kind >= ComputeProfile.KINDS) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return owner(call).computeProfile(kind).orElseThrow(() -> new Refusal(Code.NOT_SUPPORTED));
    }

    private static void profileInfo(Call call) {
        ComputeProfile profile = profile(call);
        // NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED is the only one.
        if (call.integer(2) != 0) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        Engines shared = owner(call).profile().engines();
        call.struct(3)
                .set("id", profile.kind())
                .set("sliceCount", profile.slices())
                .set("instanceCount", profile.most())
                .set("multiprocessorCount", profile.multiprocessors())
                .set("sharedCopyEngineCount", shared.copy())
                .set("sharedDecoderCount", shared.decoder())
                .set("sharedEncoderCount", shared.encoder())
                .set("sharedJpegCount", shared.jpeg())
                .set("sharedOfaCount", shared.ofa())
                .setIfPresent("name", "MIG " + profile.name())
                // NVML_COMPUTE_INSTANCE_PROFILE_CAPS_GFX
                .setIfPresent("capabilities", owner(call).profile().hasGraphics() ? 1 : 0);
    }

    private static void placements(Call call) {
        call.requirePointer(3);
        MigBehaviours.givePlacements(call, profile(call).placements());
    }

    private static void capacity(Call call) {
        call.requirePointer(2);
        synchronized (call.gpu()) {
            call.putInt(2, owner(call).capacity(profile(call)));
        }
    }

    private static Placement placement(Call call) {
        StructView placement = call.struct(2);
        return new Placement(placement.getInt("start"), placement.getInt("size"));
    }

    private static void create(Call call, @Nullable Placement place, int out) {
        call.requirePointer(out);
        call.require(Privilege.MIG_CONFIG);
        ComputeProfile profile = profile(call);
        call.putLong(
                out,
                call.gpu().mig().instances().create(owner(call), profile, place).handle());
    }

    private static void list(Call call) {
        call.requirePointer(2);
        call.requirePointer(3);
        ComputeProfile profile = profile(call);
        synchronized (call.gpu()) {
            List<MigComputeInstance> found = owner(call).computes().values().stream()
                    .filter(compute -> compute.profile().equals(profile))
                    .toList();
            call.putInt(3, found.size());
            for (int i = 0; i < found.size(); i++) {
                call.putHandle(2, i, found.get(i).handle());
            }
        }
    }

    private static void find(Call call) {
        call.requirePointer(2);
        synchronized (call.gpu()) {
            @Nullable MigComputeInstance found = owner(call).computes().get(call.integer(1));
            if (found == null) {
                throw new Refusal(Code.NOT_FOUND);
            }
            call.putLong(2, found.handle());
        }
    }

    private static void info(Call call) {
        MigComputeInstance compute = call.target(MigComputeInstance.class);
        // The device of a compute instance is its MIG device, not the GPU.
        call.struct(1)
                .set("device", compute.device().handle())
                .set("gpuInstance", compute.owner().handle())
                .set("id", compute.id())
                .set("profileId", compute.profile().kind())
                .set("placement.start", compute.placement().start())
                .set("placement.size", compute.placement().size());
    }

    private static void destroy(Call call) {
        call.require(Privilege.MIG_CONFIG);
        MigComputeInstance compute = call.target(MigComputeInstance.class);
        compute.gpu().mig().instances().destroy(compute);
    }
}
