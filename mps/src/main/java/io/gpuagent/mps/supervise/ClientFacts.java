// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What was looked up of a client's process when it was first seen, and stays true.
 *
 * @param identity its process; empty where /proc does not show it, as of another pid namespace
 * @param name its name
 * @param uid its user
 * @param owner its unit and container
 * @param own its environment
 */
record ClientFacts(
        Optional<ProcessIdentity> identity,
        Optional<String> name,
        OptionalLong uid,
        ProcessOwnerView owner,
        Optional<ClientEnvironments.Own> own) {
    /** Of several at once: to read environments of other users costs a request, however many they are. */
    static Map<Long, ClientFacts> lookUp(SupervisionPorts ports, DaemonSpec spec, List<Long> pids) {
        Map<Long, ClientEnvironments.Own> own = ports.clients().of(pids, spec.devices());
        return pids.stream()
                .collect(Collectors.toMap(pid -> pid, pid -> lookUp(ports, pid, Optional.ofNullable(own.get(pid)))));
    }

    private static ClientFacts lookUp(SupervisionPorts ports, long pid, Optional<ClientEnvironments.Own> own) {
        return new ClientFacts(
                ports.processes().identity(pid),
                ports.processes().name(pid),
                ports.processes().uid(pid),
                ports.owners().of(pid),
                own);
    }
}
