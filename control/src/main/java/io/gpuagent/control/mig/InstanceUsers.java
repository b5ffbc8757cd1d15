// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.DeviceHolder;
import io.gpuagent.host.DeviceHolders;
import io.gpuagent.host.HostException;
import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessDetails;
import io.gpuagent.host.ProcessOwner;
import io.gpuagent.mig.Holder;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.model.GpuIdentity;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sees in {@code /proc} who holds GPUs and instances. This process itself is left out, since it reads them; the agent, in
 * a process of its own, is not: what it has not let go of, the driver counts.
 */
public final class InstanceUsers implements HostClaims, Holders {
    private final HostView host;
    private final Path daemons;
    /** Minor numbers by UUID, as far as they were told. */
    private final Map<String, Integer> minors = new ConcurrentHashMap<>();

    /**
     * Sees one machine.
     *
     * @param host the machine
     * @param daemons where our MPS daemons have their pipe directories, such as {@code /run/gpu-agent/mps}
     */
    public InstanceUsers(HostView host, Path daemons) {
        this.host = host;
        this.daemons = daemons;
    }

    @Override
    public HostClaims look(Sight sight) {
        sight.minor().ifPresent(minor -> minors.put(sight.gpu().uuid(), minor));
        return HostLook.at(host, daemons, sight);
    }

    @Override
    public Optional<List<Holder>> of(GpuIdentity gpu) {
        OptionalInt minor = minor(gpu);
        if (minor.isEmpty()) {
            return Optional.empty();
        }
        List<String> nodes = new ArrayList<>(List.of("/dev/nvidia" + minor.getAsInt()));
        nodes.addAll(CapabilityNodes.of(host, minor.getAsInt()).paths());
        try {
            DeviceHolders.Found found = new DeviceHolders(host).find(nodes);
            List<Holder> holders = new ArrayList<>();
            for (DeviceHolder each : found.holders()) {
                if (each.process().pid() != ProcessHandle.current().pid()) {
                    holders.add(holder(host, each.process().pid()));
                }
            }
            // Where not all can be seen, an empty list would say that nobody holds it.
            boolean isUnknown = holders.isEmpty() && !(found.complete() && PidNamespace.isInitial(host));
            return isUnknown ? Optional.empty() : Optional.of(holders);
        } catch (HostException e) {
            return Optional.empty();
        }
    }

    private OptionalInt minor(GpuIdentity gpu) {
        Integer told = minors.get(gpu.uuid());
        return told == null ? DeviceMinors.of(host, gpu.uuid()) : OptionalInt.of(told);
    }

    static Holder holder(HostView host, long pid) {
        ProcessOwnerView owner = ProcessOwner.of(host, pid);
        String name = ProcessDetails.of(host, pid).map(ProcessDetails::name).orElse("");
        return new Holder(OptionalLong.of(pid), name, owner.unit(), owner.container());
    }
}
