// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.mig;

import io.gpuagent.agent.api.GpuName;
import io.gpuagent.agent.config.BadValueException;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.layout.GpuMatch;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The GPUs of this node by their names. While NVML is opened anew, as behind a change of the MIG mode, the snapshot has
 * none for a moment, and those from before are meant; whether they are still there the port finds out.
 */
final class KnownGpus {
    private final Supplier<NodeSnapshot> snapshots;
    private List<GpuSnapshot> last = List.of();

    KnownGpus(Supplier<NodeSnapshot> snapshots) {
        this.snapshots = snapshots;
    }

    synchronized List<GpuSnapshot> all() {
        List<GpuSnapshot> now = snapshots.get().gpus().stream()
                .filter(gpu -> !gpu.identity().uuid().isEmpty())
                .toList();
        // A worker that has just begun has not read its GPU's name yet.
        boolean isRead = !now.isEmpty()
                && now.stream()
                        .allMatch(gpu -> gpu.readings().value(ReadingKeys.NAME).isPresent());
        if (isRead || last.isEmpty()) {
            last = now;
        }
        return last;
    }

    GpuIdentity find(String name) throws MigRefusedException {
        try {
            return GpuName.parse(name)
                    .resolve(all(), GpuSnapshot::identity, gpu -> gpu.readings().value(ReadingKeys.PCI))
                    .identity();
        } catch (BadValueException e) {
            throw new MigRefusedException(RefusalCode.NOT_FOUND, e.what() + "; " + e.right());
        }
    }

    /** As a layout can name them. */
    List<GpuMatch.Candidate> candidates(Function<String, Optional<Integer>> pciDevices) {
        return all().stream()
                .map(gpu -> new GpuMatch.Candidate(
                        gpu.identity(),
                        gpu.readings().value(ReadingKeys.NAME).orElse(""),
                        gpu.readings().value(ReadingKeys.PCI),
                        pciDevices.apply(gpu.identity().uuid())))
                .toList();
    }
}
