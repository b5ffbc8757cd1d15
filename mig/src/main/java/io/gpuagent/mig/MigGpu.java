// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig;

import io.gpuagent.model.GpuIdentity;
import java.util.Comparator;
import java.util.List;

/**
 * One GPU in MIG mode at one moment: all a plan is made from.
 *
 * @param identity which GPU
 * @param model the card's name, such as {@code NVIDIA H200}
 * @param card what it can be cut into
 * @param instances what it is cut into, those of all profiles; kept by place
 */
public record MigGpu(GpuIdentity identity, String model, MigCard card, List<GpuInstance> instances) {
    /** Sorts the instances, and refuses two at one place, which no driver has. */
    public MigGpu {
        instances = instances.stream()
                .sorted(Comparator.comparingInt(instance -> instance.placement().start()))
                .toList();
        long taken = 0;
        for (GpuInstance instance : instances) {
            if ((taken & instance.placement().mask()) != 0) {
                throw new IllegalArgumentException(instance.label() + " overlaps another one");
            }
            taken |= instance.placement().mask();
        }
        if (instances.stream().map(GpuInstance::id).distinct().count() != instances.size()) {
            throw new IllegalArgumentException("two GPU instances have one id");
        }
    }

    /**
     * The layout as text: ids, profiles and places of all instances. Equal texts are equal layouts; a plan made from
     * one is not carried out on another.
     *
     * @return such as {@code 1:3g.71gb@4[0:3g.71gb@0] 5:2g.35gb@2}
     */
    public String layout() {
        return String.join(" ", instances.stream().map(GpuInstance::layout).toList());
    }
}
