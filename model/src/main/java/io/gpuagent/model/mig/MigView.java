// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.model.mig;

import java.util.List;
import java.util.Optional;

/**
 * MIG on a GPU that can do it, at one moment.
 *
 * @param enabled whether it is on
 * @param pending whether it will be after the next reset or reboot
 * @param slices memory slices of the axis on which GPU instances lie, 8 on an H200; 0 while MIG is off
 * @param instances GPU instances by place, with or without compute instances; none while MIG is off
 * @param room what still fits, a line a profile; none while MIG is off
 */
public record MigView(
        boolean enabled, boolean pending, int slices, List<MigInstanceView> instances, List<MigRoom> room) {
    /** Takes copies of the lists. */
    public MigView {
        instances = List.copyOf(instances);
        room = List.copyOf(room);
    }

    /**
     * A GPU whose MIG mode is off.
     *
     * @param pending whether it will be on after the next reset or reboot
     * @return the view
     */
    public static MigView off(boolean pending) {
        return new MigView(false, pending, 0, List.of(), List.of());
    }

    /**
     * The same with another pending mode.
     *
     * @param after whether MIG will be on after the next reset or reboot
     * @return the view
     */
    public MigView withPending(boolean after) {
        return after == pending ? this : new MigView(enabled, after, slices, instances, room);
    }

    /**
     * A compute instance.
     *
     * @param gpuInstance the id of its GPU instance
     * @param computeInstance its id
     * @return it, empty where there is none
     */
    public Optional<MigComputeView> compute(int gpuInstance, int computeInstance) {
        return instances.stream()
                .filter(instance -> instance.id() == gpuInstance)
                .flatMap(instance -> instance.computes().stream())
                .filter(compute -> compute.id() == computeInstance)
                .findFirst();
    }
}
