// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MIG mode, and the GPU instances of a GPU. With the mode off an H200 lists no instance, finds none and has room for all,
 * it does not refuse to be asked.
 */
final class MigBehaviours {
    private MigBehaviours() {}

    static void addTo(Map<String, Behaviour> behaviours) {
        behaviours.put("nvmlDeviceGetMigMode", MigBehaviours::mode);
        behaviours.put("nvmlDeviceSetMigMode", MigBehaviours::setMode);
        behaviours.put("nvmlDeviceGetMaxMigDeviceCount", MigBehaviours::maxDevices);
        behaviours.put("nvmlDeviceGetGpuInstanceProfileInfo", call -> profileInfo(call, byKind(call)));
        behaviours.put("nvmlDeviceGetGpuInstanceProfileInfoV", call -> profileInfo(call, byKind(call)));
        behaviours.put("nvmlDeviceGetGpuInstanceProfileInfoByIdV", call -> profileInfo(call, byId(call)));
        behaviours.put("nvmlDeviceGetGpuInstancePossiblePlacements", MigBehaviours::placements);
        behaviours.put("nvmlDeviceGetGpuInstancePossiblePlacements_v2", MigBehaviours::placements);
        behaviours.put("nvmlDeviceGetGpuInstanceRemainingCapacity", MigBehaviours::capacity);
        behaviours.put("nvmlDeviceCreateGpuInstance", call -> create(call, null, 2));
        behaviours.put("nvmlDeviceCreateGpuInstanceWithPlacement", call -> create(call, placement(call), 3));
        behaviours.put("nvmlDeviceGetGpuInstances", MigBehaviours::list);
        behaviours.put("nvmlDeviceGetGpuInstanceById", MigBehaviours::find);
        behaviours.put("nvmlDeviceGetMigDeviceHandleByIndex", MigBehaviours::deviceByIndex);
        behaviours.put("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", call -> call.target(MigDevice.class));
        behaviours.put("nvmlGpuInstanceGetInfo", MigBehaviours::info);
        behaviours.put("nvmlGpuInstanceDestroy", MigBehaviours::destroy);
    }

    private static void deviceByIndex(Call call) {
        call.requirePointer(2);
        instances(call).card();
        int index = call.integer(1);
        if (index < 0 || index >= instances(call).card().computeSlices()) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        MigDevice found = instances(call).device(index).orElseThrow(() -> new Refusal(Code.NOT_FOUND));
        call.putLong(2, found.handle());
    }

    private static MigInstances instances(Call call) {
        return call.gpu().mig().instances();
    }

    private static void mode(Call call) {
        call.requirePointer(1);
        call.requirePointer(2);
        instances(call).card();
        call.putInt(1, call.gpu().state().migCurrent());
        call.putInt(2, call.gpu().state().migPending());
    }

    private static void setMode(Call call) {
        call.requirePointer(2);
        if (call.integer(1) < 0 || call.integer(1) > 1) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        instances(call).card();
        call.require(Privilege.ROOT);
        call.putInt(2, instances(call).setMode(call.integer(1) == 1));
    }

    private static void maxDevices(Call call) {
        boolean isOn = call.gpu().state().migCurrent() == 1;
        call.putInt(1, isOn ? instances(call).card().computeSlices() : 0);
    }

    private static MigProfile byKind(Call call) {
        int kind = call.integer(1);
        if (kind < 0 || kind >= call.library().description().profileKinds()) {
            throw new Refusal(Code.INVALID_ARGUMENT);
        }
        return instances(call).card().byKind(kind).orElseThrow(() -> new Refusal(Code.NOT_SUPPORTED));
    }

    /** Numbers that are no profile of this card: the header allows two answers, and nobody has noted which one comes. */
    private static MigProfile byId(Call call) {
        return instances(call).card().byId(call.integer(1)).orElseThrow(() -> new Refusal(Code.INVALID_ARGUMENT));
    }

    /**
     * An H200 under driver 580.159.04 takes the version word away, and gives a name in the second version of the struct
     * alone.
     */
    private static void profileInfo(Call call, MigProfile profile) {
        StructView info = call.struct(2);
        boolean isNamed = info.has("isP2pSupported");
        String name = isNamed ? "MIG " + profile.name() : "";
        info.setIfPresent("version", 0)
                .set("id", profile.id())
                .setIfPresent("isP2pSupported", 0)
                .set("sliceCount", profile.slices())
                .set("instanceCount", profile.most())
                .set("multiprocessorCount", profile.multiprocessors())
                .set("memorySizeMB", profile.mebibytes())
                .setIfPresent("name", name)
                // NVML_GPU_INSTANCE_PROFILE_CAPS_GFX
                .setIfPresent("capabilities", profile.hasGraphics() ? 2 : 0);
        Engines engines = profile.engines();
        info.set("copyEngineCount", engines.copy())
                .set("decoderCount", engines.decoder())
                .set("encoderCount", engines.encoder())
                .set("jpegCount", engines.jpeg())
                .set("ofaCount", engines.ofa());
    }

    private static void placements(Call call) {
        MigProfile profile = byId(call);
        call.requirePointer(3);
        // As the H200 answers for 1g.18gb+me: the first version is older than such profiles.
        if (!call.function().name().endsWith("_v2") && profile.name().contains("+")) {
            throw new Refusal(Code.NOT_SUPPORTED);
        }
        givePlacements(call, profile.placements());
    }

    /** The caller first asks how many there are; it does not say how many fit. */
    static void givePlacements(Call call, List<Placement> placements) {
        call.putInt(3, placements.size());
        for (int i = 0; i < placements.size() && !call.isNull(2); i++) {
            call.element(2, i)
                    .set("start", placements.get(i).start())
                    .set("size", placements.get(i).size());
        }
    }

    private static void capacity(Call call) {
        call.requirePointer(2);
        call.require(Privilege.MIG_MONITOR);
        synchronized (call.gpu()) {
            instances(call).card();
            call.putInt(2, instances(call).placing().capacity(byId(call)));
        }
    }

    private static Placement placement(Call call) {
        StructView placement = call.struct(2);
        return new Placement(placement.getInt("start"), placement.getInt("size"));
    }

    private static void create(Call call, @Nullable Placement place, int out) {
        call.requirePointer(out);
        instances(call).requireMode();
        call.require(Privilege.MIG_CONFIG);
        call.putLong(out, instances(call).create(byId(call), place).handle());
    }

    private static void list(Call call) {
        call.requirePointer(2);
        call.requirePointer(3);
        call.require(Privilege.MIG_MONITOR);
        synchronized (call.gpu()) {
            instances(call).card();
            MigProfile profile = byId(call);
            List<MigGpuInstance> found = instances(call).all().stream()
                    .filter(instance -> instance.profile().equals(profile))
                    .sorted(Comparator.comparingInt(MigGpuInstance::id))
                    .toList();
            call.putInt(3, found.size());
            for (int i = 0; i < found.size(); i++) {
                call.putHandle(2, i, found.get(i).handle());
            }
        }
    }

    private static void find(Call call) {
        call.requirePointer(2);
        call.require(Privilege.MIG_MONITOR);
        instances(call).card();
        MigGpuInstance found = instances(call).find(call.integer(1)).orElseThrow(() -> new Refusal(Code.NOT_FOUND));
        call.putLong(2, found.handle());
    }

    private static void info(Call call) {
        MigGpuInstance instance = call.target(MigGpuInstance.class);
        call.struct(1)
                .set("device", call.machine().handle(instance.gpu()))
                .set("id", instance.id())
                .set("profileId", instance.profile().id())
                .set("placement.start", instance.placement().start())
                .set("placement.size", instance.placement().size());
    }

    private static void destroy(Call call) {
        call.require(Privilege.MIG_CONFIG);
        MigGpuInstance instance = call.target(MigGpuInstance.class);
        instance.gpu().mig().instances().destroy(instance);
    }
}
