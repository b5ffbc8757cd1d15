// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceProfileInfo_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceProfileInfo_v2_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceProfileInfo_v3_t;
import static io.gpuagent.nvml.internal.MigLayouts.nvmlGpuInstanceInfo_t;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpuagent.nvml.internal.Handle;
import io.gpuagent.nvml.internal.Layouts;
import io.gpuagent.nvml.internal.Scratch;
import java.lang.foreign.StructLayout;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A GPU instance: a part of a GPU with memory and engines of its own. Programs run in the compute instances within it.
 * It goes stale when the instance is destroyed; then NVML answers INVALID_ARGUMENT, or answers for another instance.
 */
public final class GpuInstance {
    /** NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED: all engines but multiprocessors are shared. There is no other. */
    private static final int ENGINES_SHARED = 0;

    private final Handle instance;

    GpuInstance(Handle instance) {
        this.instance = instance;
    }

    /**
     * What and where it is (nvmlGpuInstanceGetInfo).
     *
     * @return its id, profile and placement
     */
    public Answer<GpuInstanceInfo> info() {
        return Structs.plain(
                instance,
                NvmlFunction.nvmlGpuInstanceGetInfo,
                nvmlGpuInstanceInfo_t,
                s -> new GpuInstanceInfo(s.s32("id"), s.s32("profileId"), Listing.placement(s.struct("placement"))));
    }

    /**
     * A profile of compute instances (nvmlGpuInstanceGetComputeInstanceProfileInfoV with struct versions 3 and 2, then
     * nvmlGpuInstanceGetComputeInstanceProfileInfo).
     *
     * @param kind one of {@link ComputeInstanceProfile.Kind}, or a newer NVML_COMPUTE_INSTANCE_PROFILE_*
     * @return the profile; NOT_SUPPORTED where this instance has none of that kind, INVALID_ARGUMENT behind the last kind
     */
    public Answer<ComputeInstanceProfile> profile(int kind) {
        NvmlFunction versioned = NvmlFunction.nvmlGpuInstanceGetComputeInstanceProfileInfoV;
        NvmlFunction plain = NvmlFunction.nvmlGpuInstanceGetComputeInstanceProfileInfo;
        StructLayout v3 = nvmlComputeInstanceProfileInfo_v3_t;
        StructLayout v2 = nvmlComputeInstanceProfileInfo_v2_t;
        return Versions.newest(List.of(
                () -> profile(versioned, kind, v3, Layouts.version(v3, 3), ComputeInstanceProfile::version3),
                () -> profile(versioned, kind, v2, Layouts.version(v2, 2), ComputeInstanceProfile::version2),
                // The struct of the first version has no version word: what lies there is written over.
                () -> profile(plain, kind, nvmlComputeInstanceProfileInfo_t, 0, ComputeInstanceProfile::version1)));
    }

    private Answer<ComputeInstanceProfile> profile(
            NvmlFunction function,
            int kind,
            StructLayout layout,
            int firstMember,
            BiFunction<Struct, Integer, ComputeInstanceProfile> reader) {
        Struct out = new Struct(layout, Scratch.fresh().take(layout));
        out.memory().set(JAVA_INT, 0, firstMember);
        int code = instance.calls().call(function, instance, kind, ENGINES_SHARED, out.memory());
        return Queries.answer(function, code, out.memory(), o -> new Answer.Value<>(reader.apply(out, kind)));
    }

    /**
     * All profiles that this instance has.
     *
     * @return the profiles, by kind
     */
    public Answer<List<ComputeInstanceProfile>> profiles() {
        return Listing.enumerate(this::profile);
    }

    /**
     * Where compute instances of a profile may lie, whether free or not
     * (nvmlGpuInstanceGetComputeInstancePossiblePlacements).
     *
     * @param profileId a {@link ComputeInstanceProfile#id()}
     * @return the placements, in compute slices of this instance; FUNCTION_NOT_FOUND from older drivers
     */
    public Answer<List<Placement>> placements(int profileId) {
        return Listing.placements(
                instance, NvmlFunction.nvmlGpuInstanceGetComputeInstancePossiblePlacements, profileId);
    }

    /**
     * How many more compute instances of a profile can be made (nvmlGpuInstanceGetComputeInstanceRemainingCapacity).
     *
     * @param profileId a {@link ComputeInstanceProfile#id()}
     * @return the count
     */
    public Answer<Integer> remainingCapacity(int profileId) {
        return Queries.u32(instance, NvmlFunction.nvmlGpuInstanceGetComputeInstanceRemainingCapacity, profileId)
                .map(Long::intValue);
    }

    /**
     * The compute instances of a profile (nvmlGpuInstanceGetComputeInstances).
     *
     * @param profileId a {@link ComputeInstanceProfile#id()}
     * @return the instances
     */
    public Answer<List<ComputeInstance>> computeInstances(int profileId) {
        return Listing.handles(instance, NvmlFunction.nvmlGpuInstanceGetComputeInstances, profileId)
                .map(handles -> handles.stream().map(ComputeInstance::new).toList());
    }

    /**
     * The compute instances of all profiles.
     *
     * @return the instances; the first refusal where there is one
     */
    public Answer<List<ComputeInstance>> computeInstances() {
        Answer<List<Integer>> ids = profiles()
                .map(profiles -> profiles.stream()
                        .map(ComputeInstanceProfile::id)
                        .distinct()
                        .toList());
        return Listing.gather(ids, this::computeInstances);
    }

    /**
     * A compute instance by its id (nvmlGpuInstanceGetComputeInstanceById).
     *
     * @param id a {@link ComputeInstanceInfo#id()}
     * @return the instance; NOT_FOUND where there is none
     */
    public Answer<ComputeInstance> computeInstance(int id) {
        return Queries.handle(instance, NvmlFunction.nvmlGpuInstanceGetComputeInstanceById, id)
                .map(ComputeInstance::new);
    }

    /**
     * Makes a compute instance where the driver likes (nvmlGpuInstanceCreateComputeInstance).
     *
     * @param profileId a {@link ComputeInstanceProfile#id()}
     * @return the instance; refused as {@link #create(int, Placement)}
     */
    public Answer<ComputeInstance> create(int profileId) {
        return Queries.handle(instance, NvmlFunction.nvmlGpuInstanceCreateComputeInstance, profileId)
                .map(ComputeInstance::new);
    }

    /**
     * Makes a compute instance at a place (nvmlGpuInstanceCreateComputeInstanceWithPlacement).
     *
     * @param profileId a {@link ComputeInstanceProfile#id()}
     * @param placement one of {@link #placements(int)}
     * @return the instance; INSUFFICIENT_RESOURCES where slices are taken, NO_PERMISSION
     */
    public Answer<ComputeInstance> create(int profileId, Placement placement) {
        return Mig.created(
                        instance, NvmlFunction.nvmlGpuInstanceCreateComputeInstanceWithPlacement, profileId, placement)
                .map(ComputeInstance::new);
    }

    /**
     * Destroys it (nvmlGpuInstanceDestroy).
     *
     * @return done; IN_USE where a compute instance is in it or anybody holds it, now and then also where nobody seems
     *     to; NO_PERMISSION
     */
    public Answer<Done> destroy() {
        NvmlFunction function = NvmlFunction.nvmlGpuInstanceDestroy;
        return Queries.done(function, instance.calls().call(function, instance));
    }
}
