// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import io.gpuagent.control.ControlPort;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.NvmlSessions;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.mig.DriverLoads;
import io.gpuagent.control.mig.InstanceUsers;
import io.gpuagent.control.mig.MigLayouts;
import io.gpuagent.control.mig.MigMachine;
import io.gpuagent.mig.apply.Disk;
import io.gpuagent.mig.apply.Holders;
import io.gpuagent.mig.read.HostClaims;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.SupervisionFolders;
import io.gpuagent.nvml.CallObserver;
import java.util.Optional;
import java.util.function.Function;

/**
 * Who makes changes: this process, where it is root's or manages a user's own daemons or a simulation, and the root helper
 * otherwise.
 */
final class ControlPorts {
    private ControlPorts() {}

    static Function<Requester, ControlPort> of(MpsWiring.Parts parts, DirectPort.Daemons daemons, ComputeModes modes) {
        SupervisionFolders places = parts.places();
        if (!parts.mayChange()) {
            return _ -> MpsWiring.helper(parts);
        }
        ControlFolders folders = new ControlFolders(places.runtime(), places.state(), places.log());
        MigLayouts layouts = new MigLayouts(machine(parts, folders, daemons));
        return requester -> new DirectPort(parts.host(), folders, daemons, modes, layouts, requester, parts.clock());
    }

    /** Nobody of this machine uses a simulated GPU: who does, the simulation tells as NVML. */
    private static MigMachine machine(MpsWiring.Parts parts, ControlFolders folders, DirectPort.Daemons daemons) {
        boolean isReal = parts.nvml().simulation().isEmpty();
        InstanceUsers users = new InstanceUsers(parts.host(), folders.runtime().resolve("mps"));
        return new MigMachine(
                new NvmlSessions(parts.nvml()::symbols, CallObserver.NONE, parts.clock()::nanos),
                folders.layouts(),
                isReal ? users : HostClaims.NONE,
                isReal ? users : Holders.UNSEEN,
                daemons::open,
                // A simulated machine is not booted while this process runs.
                isReal ? new DriverLoads(parts.host()) : () -> Optional.of("simulated"),
                parts.clock(),
                Disk.REAL);
    }
}
