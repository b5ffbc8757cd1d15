// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mps;

import io.gpuagent.agent.api.MigDevices;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.GpuUse;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What the newest snapshot tells the supervision of MPS; what was not read, or is too old, is empty. */
public final class SnapshotGpuUse implements GpuUse {
    private final Supplier<NodeSnapshot> snapshots;

    /**
     * Out of snapshots.
     *
     * @param snapshots gives the newest one without asking the driver
     */
    public SnapshotGpuUse(Supplier<NodeSnapshot> snapshots) {
        this.snapshots = snapshots;
    }

    @Override
    public Optional<Device> device(String uuid) {
        NodeSnapshot node = snapshots.get();
        return node.gpus().stream()
                .filter(gpu -> gpu.identity().uuid().equals(uuid))
                .findFirst()
                .map(SnapshotGpuUse::device)
                .or(() -> MigDevices.of(node).byUuid(uuid).map(SnapshotGpuUse::device));
    }

    private static Device device(GpuSnapshot gpu) {
        return new Device(
                gpu.readings().value(ReadingKeys.COMPUTE_CAPABILITY),
                MultiprocessorCount.of(gpu),
                gpu.readings()
                        .value(ReadingKeys.MEMORY)
                        .map(MemoryUse::totalBytes)
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()),
                processes(gpu, ProcessType.MPS, process -> true),
                processes(gpu, ProcessType.COMPUTE, process -> true),
                gpu.readings().value(ReadingKeys.COMPUTE_MODE).flatMap(SnapshotGpuUse::mode));
    }

    private static Optional<ComputeModes.Mode> mode(String name) {
        return Stream.of(ComputeModes.Mode.values())
                .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst();
    }

    /** What a MIG device has is that of its instances; processes stand in the lists of its GPU. */
    private static Device device(MigDevices.Device mig) {
        Predicate<GpuProcess> isOnIt =
                process -> process.isOn(mig.instance().id(), mig.compute().id());
        return new Device(
                mig.gpu().readings().value(ReadingKeys.COMPUTE_CAPABILITY),
                MultiprocessorCount.of(mig),
                OptionalLong.of(mig.instance().memoryBytes()),
                processes(mig.gpu(), ProcessType.MPS, isOnIt),
                processes(mig.gpu(), ProcessType.COMPUTE, isOnIt),
                Optional.empty());
    }

    private static Optional<Map<Long, OptionalLong>> processes(
            GpuSnapshot gpu, ProcessType type, Predicate<GpuProcess> isMeant) {
        return gpu.readings().value(ReadingKeys.processes(type)).map(list -> {
            Map<Long, OptionalLong> byPid = new HashMap<>();
            for (GpuProcess process : list) {
                if (isMeant.test(process)) {
                    byPid.put((long) process.pid(), process.usedMemoryBytes());
                }
            }
            return byPid;
        });
    }

    /** Where instances cannot be read, an unknown UUID may well be that of one. */
    @Override
    public boolean isComplete() {
        NodeSnapshot node = snapshots.get();
        return node.driver() instanceof DriverState.Up
                && !node.gpus().isEmpty()
                && node.gpus().stream().noneMatch(gpu -> gpu.identity().uuid().isEmpty());
    }

    /** A MIG device stands in no snapshot yet, so that where MIG may be on, an unknown UUID may well be right. */
    @Override
    public boolean listsMigDevices() {
        return isComplete() && snapshots.get().gpus().stream().noneMatch(SnapshotGpuUse::mayHaveMig);
    }

    private static boolean mayHaveMig(GpuSnapshot gpu) {
        return !MigDevices.isKnown(gpu);
    }
}
