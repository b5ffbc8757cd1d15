// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.MigLayouts.nvmlComputeInstanceInfo_t;

import io.gpuagent.nvml.internal.Handle;

/**
 * A compute instance: multiprocessors of a GPU instance, whose memory and engines it shares with the others. For each
 * there is one {@link MigDevice}.
 */
public final class ComputeInstance {
    private final Handle instance;

    ComputeInstance(Handle instance) {
        this.instance = instance;
    }

    /**
     * What and where it is (nvmlComputeInstanceGetInfo_v2).
     *
     * @return its id, profile and placement
     */
    public Answer<ComputeInstanceInfo> info() {
        return Structs.plain(
                instance,
                NvmlFunction.nvmlComputeInstanceGetInfo_v2,
                nvmlComputeInstanceInfo_t,
                s -> new ComputeInstanceInfo(
                        s.s32("id"), s.s32("profileId"), Listing.placement(s.struct("placement"))));
    }

    /**
     * Destroys it (nvmlComputeInstanceDestroy).
     *
     * @return done; IN_USE where a program runs in it or anybody holds it, NO_PERMISSION
     */
    public Answer<Done> destroy() {
        NvmlFunction function = NvmlFunction.nvmlComputeInstanceDestroy;
        return Queries.done(function, instance.calls().call(function, instance));
    }
}
