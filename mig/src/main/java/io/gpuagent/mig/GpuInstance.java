// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import java.util.Comparator;
import java.util.List;

/**
 * A GPU instance that exists. Where it lies is read from the driver (nvmlGpuInstanceGetInfo), never computed from its
 * id: boards number their places in two ways.
 *
 * @param id NVML's id; used again by the next instance at the same place
 * @param profile its kind
 * @param placement where it lies, in memory slices
 * @param computes its compute instances; none is a half-made instance, which is shown as such
 * @param ownership whose it is
 * @param claims who uses it, or may
 */
public record GpuInstance(
        int id,
        GpuProfile profile,
        Placement placement,
        List<ComputeInstance> computes,
        Ownership ownership,
        List<Claim> claims) {
    /** Takes copies of the lists. */
    public GpuInstance {
        computes = computes.stream()
                .sorted(Comparator.comparingInt(ComputeInstance::id))
                .toList();
        claims = List.copyOf(claims);
    }

    /**
     * Names it.
     *
     * @return such as {@code GPU instance 11 (1g.18gb at 4)}
     */
    public String label() {
        return "GPU instance " + id + " (" + profile.name() + " at " + placement.start() + ")";
    }

    /**
     * What and where it is, without regard to who uses it.
     *
     * @return such as {@code 1:3g.71gb@4[0:1c.3g.71gb@2]}
     */
    String layout() {
        StringBuilder text = new StringBuilder();
        text.append(id).append(':').append(profile.name()).append('@').append(placement.start());
        for (ComputeInstance compute : computes) {
            text.append('[').append(compute.id()).append(':').append(compute.name());
            compute.placement().ifPresent(at -> text.append('@').append(at.start()));
            text.append(']');
        }
        return text.toString();
    }
}
