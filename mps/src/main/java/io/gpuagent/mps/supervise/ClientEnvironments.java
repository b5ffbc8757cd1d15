// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import io.gpuagent.model.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What clients ask for in their own environments, which can only lower what their server allows, or drop it all. */
@FunctionalInterface
public interface ClientEnvironments {
    /** None can be read. */
    ClientEnvironments UNREADABLE = (_, _) -> Map.of();

    /**
     * A client's environment.
     *
     * @param share what it asks for; parts that it does not name are absent
     * @param escape one sentence where it makes the driver drop every limit of memory
     */
    record Own(Share share, Optional<String> escape) {}

    /**
     * Reads some; asked once for each client, and for all at once that have come since the last look.
     *
     * @param pids the clients
     * @param devices UUIDs of the devices of their daemon
     * @return what they ask for, by pid; without those whose environments cannot be read
     */
    Map<Long, Own> of(List<Long> pids, List<String> devices);
}
