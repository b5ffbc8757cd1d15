// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.util.List;
import java.util.Optional;

/** What clients ask for in their own environments, which can only lower what their server allows, or drop it all. */
@FunctionalInterface
public interface ClientEnvironments {
    /** None can be read. */
    ClientEnvironments UNREADABLE = (_, _) -> Optional.empty();

    /**
     * A client's environment.
     *
     * @param share what it asks for; parts that it does not name are absent
     * @param escape one sentence where it makes the driver drop every limit of memory
     */
    record Own(Share share, Optional<String> escape) {}

    /**
     * Reads one; asked once for each client.
     *
     * @param pid the client
     * @param devices UUIDs of the devices of its daemon
     * @return what it asks for; empty where its environment cannot be read
     */
    Optional<Own> of(long pid, List<String> devices);
}
