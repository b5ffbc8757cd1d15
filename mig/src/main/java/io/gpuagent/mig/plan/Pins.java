// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mig.plan;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.MigGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What must stay on one GPU. Bit i stands for its i-th instance. */
final class Pins {
    private final List<GpuInstance> instances;
    /** As many lists as instances. */
    private final List<List<Pin>> pins = new ArrayList<>();

    Pins(MigGpu gpu, PinRules rules) {
        instances = gpu.instances();
        instances.forEach(instance -> pins.add(rules.pins(instance)));
    }

    List<Pin> all() {
        return pins.stream().flatMap(List::stream).toList();
    }

    List<Pin> of(int index) {
        return pins.get(index);
    }

    long pinned() {
        long bits = 0;
        for (int i = 0; i < pins.size(); i++) {
            bits |= pins.get(i).isEmpty() ? 0 : 1L << i;
        }
        return bits;
    }

    long outsideOfLayout() {
        long bits = 0;
        for (int i = 0; i < pins.size(); i++) {
            bits |= isOutsideOfLayout(pins.get(i)) ? 1L << i : 0;
        }
        return bits;
    }

    private static boolean isOutsideOfLayout(List<Pin> reasons) {
        return reasons.stream().anyMatch(pin -> pin.kind().isOutsideOfLayout());
    }

    /** How the compute instances of an instance become as wanted while it is pinned. */
    Optional<ComputeChange> change(GpuInstance instance, WantedInstance wanted) {
        List<Pin> reasons = pins.get(instances.indexOf(instance));
        Optional<ComputeChange> change = new ComputeFit(wanted.profile())
                .change(instance, wanted.computes(), compute -> isPinned(reasons, compute));
        // Nothing is made inside of what is not ours, either.
        return isOutsideOfLayout(reasons) ? change.filter(ComputeChange::isNone) : change;
    }

    /** The same if nothing were pinned. */
    Optional<ComputeChange> freeChange(GpuInstance instance, WantedInstance wanted) {
        return new ComputeFit(wanted.profile()).change(instance, wanted.computes(), compute -> false);
    }

    private static boolean isPinned(List<Pin> reasons, ComputeInstance compute) {
        return reasons.stream()
                .anyMatch(pin ->
                        pin.computeInstance().isEmpty() || pin.computeInstance().getAsInt() == compute.id());
    }
}
