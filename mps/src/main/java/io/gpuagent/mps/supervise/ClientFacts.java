// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.mps.ProcessOwnerView;
import java.util.Optional;
import java.util.OptionalLong;

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
    static ClientFacts lookUp(SupervisionPorts ports, DaemonSpec spec, long pid) {
        return new ClientFacts(
                ports.processes().identity(pid),
                ports.processes().name(pid),
                ports.processes().uid(pid),
                ports.owners().of(pid),
                ports.clients().of(pid, spec.devices()));
    }
}
