// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.mps.supervise.ClientEnvironments;
import java.util.List;
import java.util.Optional;

/** Reads what clients ask for out of their environments. One that cannot be read is unknown, and not without limits. */
public final class EnvironmentReader implements ClientEnvironments {
    private final EnvironmentSource environments;

    /**
     * A reader.
     *
     * @param environments reads environments
     */
    public EnvironmentReader(EnvironmentSource environments) {
        this.environments = environments;
    }

    @Override
    public Optional<Own> of(long pid, List<String> devices) {
        return read(pid, devices).map(client -> new Own(client.share(), client.escape()));
    }

    /**
     * Reads one.
     *
     * @param pid the client
     * @param devices UUIDs of the devices of its daemon
     * @return all that is known of it; empty where its environment cannot be read
     */
    public Optional<ClientEnvironment> read(long pid, List<String> devices) {
        return Optional.ofNullable(environments.read(List.of(pid)).get(pid))
                .map(environment -> ClientEnvironment.of(environment.variables(), devices));
    }
}
