// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.health;

import io.gpuagent.health.fold.NodePoll;
import io.gpuagent.host.HostView;
import io.gpuagent.host.kernel.NvidiaModule;
import io.gpuagent.host.kernel.PciGpus;
import io.gpuagent.host.kernel.UnitActivity;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuSnapshot;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.PciAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Looks at what no GPU owns: the bus, the driver's files, its units. */
@FunctionalInterface
public interface NodeLook {
    /** Units whose absence GPUs suffer from; one that is not installed is not missed, but for NVSwitch's. */
    Set<String> UNITS = Set.of("nvidia-persistenced.service");

    /**
     * Looks.
     *
     * @param snapshot the GPUs as they were polled
     * @return what there is
     */
    NodePoll at(NodeSnapshot snapshot);

    /**
     * At this machine.
     *
     * @param host the machine
     * @param mpsServers processes of MPS servers, with the id of their daemon
     */
    static NodeLook of(HostView host, Supplier<Map<Long, String>> mpsServers) {
        return snapshot -> {
            NvidiaModule module = NvidiaModule.read(host);
            return new NodePoll(
                    snapshot.driver(),
                    module.version(),
                    module.library(),
                    PciGpus.scan(host).map(Set::<PciAddress>copyOf),
                    inNvml(snapshot),
                    units(host),
                    mpsServers.get());
        };
    }

    /**
     * At a simulation, which has no bus, no files and no units; those of this machine have nothing to do with it.
     *
     * @param mpsServers processes of MPS servers, with the id of their daemon
     */
    static NodeLook ofSimulation(Supplier<Map<Long, String>> mpsServers) {
        return snapshot -> new NodePoll(
                snapshot.driver(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                inNvml(snapshot),
                Map.of(),
                mpsServers.get());
    }

    private static Optional<Set<String>> inNvml(NodeSnapshot snapshot) {
        boolean areAllNamed =
                snapshot.gpus().stream().noneMatch(gpu -> gpu.identity().uuid().isEmpty());
        return snapshot.driver() instanceof DriverState.Up && areAllNamed
                ? Optional.of(snapshot.gpus().stream()
                        .map(GpuSnapshot::identity)
                        .map(identity -> identity.uuid())
                        .collect(Collectors.toSet()))
                : Optional.empty();
    }

    private static Map<String, UnitActivity> units(HostView host) {
        Map<String, UnitActivity> units = new HashMap<>();
        for (String unit : UNITS) {
            units.put(unit, UnitActivity.of(host, unit, "system.slice"));
        }
        return units;
    }
}
