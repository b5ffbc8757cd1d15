// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.mps.supervise.ClientEnvironments;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    public Map<Long, Own> of(List<Long> pids, List<String> devices) {
        Map<Long, Own> own = new HashMap<>();
        environments.read(pids).forEach((pid, environment) -> {
            ClientEnvironment client = ClientEnvironment.of(environment.variables(), devices);
            own.put(pid, new Own(client.share(), client.escape()));
        });
        return own;
    }
}
