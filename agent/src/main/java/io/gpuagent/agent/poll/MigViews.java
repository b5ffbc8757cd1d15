// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.poll;

import io.gpuagent.mig.ComputeInstance;
import io.gpuagent.mig.ComputeProfile;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Placement;
import io.gpuagent.mig.plan.RoomLeft;
import io.gpuagent.mig.read.MigDeviceFacts;
import io.gpuagent.mig.read.MigFacts;
import io.gpuagent.model.mig.MigComputeView;
import io.gpuagent.model.mig.MigDeviceView;
import io.gpuagent.model.mig.MigInstanceView;
import io.gpuagent.model.mig.MigPlace;
import io.gpuagent.model.mig.MigRoom;
import io.gpuagent.model.mig.MigView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Makes the snapshot's view of MIG out of what was read. */
final class MigViews {
    private static final long MEBIBYTE = 1L << 20;

    private MigViews() {}

    /** The view; the devices give the index that their UUID has now. */
    static MigView of(MigFacts facts, List<HeldDevice> devices) {
        return new MigView(
                facts.enabled(),
                facts.pending(),
                facts.gpu().card().width(),
                facts.gpu().instances().stream()
                        .map(instance -> instance(instance, facts, devices))
                        .toList(),
                RoomLeft.on(facts.gpu()).stream()
                        .map(left -> new MigRoom(
                                left.profile().name(), left.profile().id(), left.count()))
                        .toList());
    }

    private static MigInstanceView instance(GpuInstance instance, MigFacts facts, List<HeldDevice> devices) {
        return new MigInstanceView(
                instance.id(),
                instance.profile().name(),
                instance.profile().id(),
                place(instance.placement()),
                instance.profile().slices(),
                instance.profile().multiprocessors(),
                instance.profile().memoryMebibytes() * MEBIBYTE,
                instance.computes().stream()
                        .map(compute -> compute(compute, instance, facts, devices))
                        .toList());
    }

    private static MigComputeView compute(
            ComputeInstance compute, GpuInstance of, MigFacts facts, List<HeldDevice> devices) {
        return new MigComputeView(
                compute.id(),
                compute.name(),
                compute.profileId(),
                compute.slices(),
                multiprocessors(compute, of, facts),
                compute.placement().map(MigViews::place),
                device(compute, of, facts, devices));
    }

    /** What an instance offers is learned with it, so that the card knows it, and the instance's own profile may not. */
    private static OptionalInt multiprocessors(ComputeInstance compute, GpuInstance of, MigFacts facts) {
        return facts.gpu().card().byId(of.profile().id()).stream()
                .flatMap(profile -> profile.computes().stream())
                .filter(offered -> offered.id() == compute.profileId())
                .mapToInt(ComputeProfile::multiprocessors)
                .findFirst();
    }

    private static Optional<MigDeviceView> device(
            ComputeInstance compute, GpuInstance of, MigFacts facts, List<HeldDevice> devices) {
        Optional<HeldDevice> held = devices.stream()
                .filter(device -> device.isOf(of.id(), compute.id()))
                .findFirst();
        Optional<String> uuid = facts.devicesOf(of.id()).stream()
                .filter(device -> device.computeInstance() == compute.id())
                .map(MigDeviceFacts::uuid)
                .findFirst();
        return held.flatMap(device ->
                uuid.map(text -> new MigDeviceView(text, device.handle().index())));
    }

    private static MigPlace place(Placement placement) {
        return new MigPlace(placement.start(), placement.size());
    }
}
