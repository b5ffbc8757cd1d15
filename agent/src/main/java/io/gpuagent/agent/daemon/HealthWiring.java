// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.agent.health.HealthWatch;
import io.gpuagent.agent.health.NodeLook;
import io.gpuagent.agent.mps.MpsService;
import io.gpuagent.agent.poll.DriverLoop;
import io.gpuagent.agent.poll.Snapshots;
import io.gpuagent.health.store.HealthStore;
import io.gpuagent.host.HostView;
import io.gpuagent.host.RuntimeFolders;
import io.gpuagent.host.kernel.BootId;
import io.gpuagent.host.kernel.KernelLogDevice;
import io.gpuagent.model.mps.MpsServerView;
import io.gpuagent.model.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Puts the watch over health together: over this machine, or over a simulation. */
final class HealthWiring {
    private HealthWiring() {}

    static HealthWatch open(
            HostView host,
            Clock clock,
            RuntimeFolders.Chosen folders,
            KernelLogDevice kernelLog,
            DriverLoop driver,
            Snapshots snapshots,
            Optional<MpsService> mps) {
        Supplier<Map<Long, String>> servers = () -> servers(mps);
        return new HealthWatch(new HealthWatch.Parts(
                host,
                BootId.read(host).map(BootId::text).orElse(""),
                clock,
                HealthStore.in(folders.state().resolve("health")),
                kernelLog,
                snapshots::current,
                driver::events,
                folders.simulated() ? NodeLook.ofSimulation(servers) : NodeLook.of(host, servers),
                driver::readSoon));
    }

    private static Map<Long, String> servers(Optional<MpsService> mps) {
        Map<Long, String> servers = new HashMap<>();
        mps.ifPresent(service -> service.view()
                .daemons()
                .forEach(daemon -> daemon.servers().stream()
                        .map(MpsServerView::pid)
                        .forEach(pid -> servers.put(pid, daemon.id()))));
        return servers;
    }
}
