// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_v2_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceProfileInfo_v3_t;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.MigLayouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Multi-Instance GPU: how the GPU can be cut up, and how it is. Whether MIG is on is {@link Modes#mig()}.
 *
 * <p>To read instances takes root or read access to the capability {@code mig/monitor}, to create and destroy them
 * {@code mig/config}, to set the mode root; otherwise NO_PERMISSION. Instances and MIG devices go stale when they are
 * destroyed, the mode changes or the GPU is reset, and NVML may give the same handle to another instance: read them
 * again after each change.
 */
public final class Mig {
    private final Handle device;

    Mig(Handle device) {
        this.device = device;
    }

    /**
     * Asks for MIG to be on or off (nvmlDeviceSetMigMode). Both answers count: the mode may have been taken as pending
     * and yet not have become active. The GPU may be reset, its minor number may change, and all of its handles go stale.
     *
     * @param enabled on
     * @return what became of the activation: SUCCESS, IN_USE where somebody holds the GPU, RESET_REQUIRED; refused with
     *     NO_PERMISSION or NOT_SUPPORTED
     */
    public Answer<NvmlReturn> setMode(boolean enabled) {
        NvmlFunction function = NvmlFunction.nvmlDeviceSetMigMode;
        MemorySegment status = Scratch.fresh().take(JAVA_INT);
        int code = device.calls().call(function, device, enabled ? 1 : 0, status);
        return Queries.answer(function, code, status, o -> new Answer.Value<>(new NvmlReturn(o.get(JAVA_INT, 0))));
    }

    /**
     * Whether this is a MIG device, found by its UUID, and no GPU (nvmlDeviceIsMigDeviceHandle).
     *
     * @return true for a MIG device
     */
    public Answer<Boolean> isMigDevice() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceIsMigDeviceHandle).map(is -> is != 0);
    }

    /**
     * How many MIG devices there can be (nvmlDeviceGetMaxMigDeviceCount).
     *
     * @return the count; 0 while MIG is off, also where it could be on
     */
    public Answer<Integer> maxDevices() {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetMaxMigDeviceCount).map(Long::intValue);
    }

    /**
     * A MIG device (nvmlDeviceGetMigDeviceHandleByIndex). Indices have holes and change with the instances.
     *
     * @param index from 0 to below {@link #maxDevices()}
     * @return the device; NOT_FOUND where there is none
     */
    public Answer<MigDevice> device(int index) {
        return Queries.handle(device, NvmlFunction.nvmlDeviceGetMigDeviceHandleByIndex, index)
                .map(handle -> new MigDevice(handle, index));
    }

    /**
     * All MIG devices. A GPU instance without a compute instance has none: see {@link #instances()}.
     *
     * @return the devices, by index; empty while MIG is off
     */
    public Answer<List<MigDevice>> devices() {
        Answer<Integer> max = maxDevices();
        return max instanceof Answer.Value<Integer>(Integer count)
                ? Listing.enumerate(count, this::device)
                : max.map(none -> List.of());
    }

    /**
     * A profile of GPU instances (nvmlDeviceGetGpuInstanceProfileInfoV with struct versions 3 and 2, then
     * nvmlDeviceGetGpuInstanceProfileInfo). It takes about a millisecond and changes with the MIG mode at most.
     *
     * @param kind one of {@link GpuInstanceProfile.Kind}, or a newer NVML_GPU_INSTANCE_PROFILE_*
     * @return the profile; NOT_SUPPORTED where this GPU has none of that kind, INVALID_ARGUMENT behind the last kind
     */
    public Answer<GpuInstanceProfile> profile(int kind) {
        Optional<Coded<GpuInstanceProfile.Kind>> coded = Optional.of(Coded.of(kind, GpuInstanceProfile.Kind.class));
        NvmlFunction versioned = NvmlFunction.nvmlDeviceGetGpuInstanceProfileInfoV;
        return Versions.newest(List.of(
                () -> profile3(versioned, kind, coded),
                () -> profile2(versioned, kind, coded),
                () -> Structs.plain(
                        device,
                        NvmlFunction.nvmlDeviceGetGpuInstanceProfileInfo,
                        kind,
                        nvmlGpuInstanceProfileInfo_t,
                        s -> GpuInstanceProfile.version1(s, coded))));
    }

    /** The name is in version 2 alone under driver 580.159.04 (captured on an H200). */
    private Answer<GpuInstanceProfile> profile3(
            NvmlFunction function, int selector, Optional<Coded<GpuInstanceProfile.Kind>> kind) {
        Answer<GpuInstanceProfile> newest = Structs.versioned(
                device,
                function,
                selector,
                nvmlGpuInstanceProfileInfo_v3_t,
                3,
                s -> GpuInstanceProfile.version3(s, kind));
        boolean isNameless =
                newest.value().filter(profile -> profile.name().isEmpty()).isPresent();
        return isNameless
                ? newest.map(profile ->
                        profile.named(profile2(function, selector, kind).value().flatMap(GpuInstanceProfile::name)))
                : newest;
    }

    private Answer<GpuInstanceProfile> profile2(
            NvmlFunction function, int selector, Optional<Coded<GpuInstanceProfile.Kind>> kind) {
        return Structs.versioned(
                device,
                function,
                selector,
                nvmlGpuInstanceProfileInfo_v2_t,
                2,
                s -> GpuInstanceProfile.version2(s, kind));
    }

    /**
     * All profiles that this GPU has, also while MIG is off where the driver can tell.
     *
     * @return the profiles, by kind; empty on a GPU without MIG
     */
    public Answer<List<GpuInstanceProfile>> profiles() {
        return Listing.enumerate(this::profile);
    }

    /**
     * A profile by its id (nvmlDeviceGetGpuInstanceProfileInfoByIdV). Where the driver answers FUNCTION_NOT_FOUND, look
     * among {@link #profiles()}.
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @return the profile, without its kind
     */
    public Answer<GpuInstanceProfile> profileById(int profileId) {
        NvmlFunction function = NvmlFunction.nvmlDeviceGetGpuInstanceProfileInfoByIdV;
        return Versions.newest(List.of(
                () -> profile3(function, profileId, Optional.empty()),
                () -> profile2(function, profileId, Optional.empty())));
    }

    /**
     * Where instances of a profile may lie, whether free or not (nvmlDeviceGetGpuInstancePossiblePlacements).
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @return the placements, in memory slices
     */
    public Answer<List<Placement>> placements(int profileId) {
        return Listing.placements(device, NvmlFunction.nvmlDeviceGetGpuInstancePossiblePlacements_v2, profileId);
    }

    /**
     * How many more instances of a profile can be made (nvmlDeviceGetGpuInstanceRemainingCapacity).
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @return the count; NOT_SUPPORTED while MIG is off
     */
    public Answer<Integer> remainingCapacity(int profileId) {
        return Queries.u32(device, NvmlFunction.nvmlDeviceGetGpuInstanceRemainingCapacity, profileId)
                .map(Long::intValue);
    }

    /**
     * The instances of a profile (nvmlDeviceGetGpuInstances).
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @return the instances; NOT_SUPPORTED while MIG is off
     */
    public Answer<List<GpuInstance>> instances(int profileId) {
        return Listing.handles(device, NvmlFunction.nvmlDeviceGetGpuInstances, profileId)
                .map(handles -> handles.stream().map(GpuInstance::new).toList());
    }

    /**
     * The instances of all profiles, with or without compute instances in them. It asks for each profile: about ten
     * milliseconds.
     *
     * @return the instances; the first refusal where there is one
     */
    public Answer<List<GpuInstance>> instances() {
        Answer<List<Integer>> ids = profiles()
                .map(profiles ->
                        profiles.stream().map(GpuInstanceProfile::id).distinct().toList());
        return Listing.gather(ids, this::instances);
    }

    /**
     * An instance by its id (nvmlDeviceGetGpuInstanceById).
     *
     * @param id a {@link GpuInstanceInfo#id()}
     * @return the instance; NOT_FOUND where there is none
     */
    public Answer<GpuInstance> instance(int id) {
        return Queries.handle(device, NvmlFunction.nvmlDeviceGetGpuInstanceById, id)
                .map(GpuInstance::new);
    }

    /**
     * Makes an instance where the driver likes (nvmlDeviceCreateGpuInstance); drivers differ in where that is.
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @return the instance; refused as {@link #create(int, Placement)}
     */
    public Answer<GpuInstance> create(int profileId) {
        return Queries.handle(device, NvmlFunction.nvmlDeviceCreateGpuInstance, profileId)
                .map(GpuInstance::new);
    }

    /**
     * Makes an instance at a place (nvmlDeviceCreateGpuInstanceWithPlacement).
     *
     * @param profileId a {@link GpuInstanceProfile#id()}
     * @param placement one of {@link #placements(int)}
     * @return the instance; INSUFFICIENT_RESOURCES where slices or engines are taken, IN_USE where it would be the first
     *     and somebody uses the GPU, NOT_SUPPORTED while MIG is off, NO_PERMISSION
     */
    public Answer<GpuInstance> create(int profileId, Placement placement) {
        return created(device, NvmlFunction.nvmlDeviceCreateGpuInstanceWithPlacement, profileId, placement)
                .map(GpuInstance::new);
    }

    /** {@code f(parent, unsigned int profileId, const placement *, handle *)}. */
    static Answer<Handle> created(Handle parent, NvmlFunction function, int profileId, Placement placement) {
        Scratch scratch = Scratch.fresh();
        MemorySegment at = scratch.take(MigLayouts.nvmlGpuInstancePlacement_t);
        MemorySegment out = scratch.take(ADDRESS);
        Struct there = new Struct(MigLayouts.nvmlGpuInstancePlacement_t, at);
        there.set("start", placement.start());
        there.set("size", placement.size());
        int code = parent.calls().call(function, parent, profileId, at, out);
        return Queries.answer(function, code, out, o -> new Answer.Value<>(Queries.handle(parent, o)));
    }
}
