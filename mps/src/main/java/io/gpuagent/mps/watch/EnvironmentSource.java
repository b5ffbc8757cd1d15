// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads CUDA_ and NVIDIA_ variables of processes: itself, or by somebody who may read those of other users. */
@FunctionalInterface
public interface EnvironmentSource {
    /**
     * Reads some.
     *
     * @param pids the processes
     * @return those that can be read, by pid
     */
    Map<Long, GpuEnvironment> read(List<Long> pids);

    /**
     * Reads them in this process, which may read those of its own user, and as root all.
     *
     * @param host the machine
     * @return the source
     */
    static EnvironmentSource direct(HostView host) {
        return pids -> {
            Map<Long, GpuEnvironment> found = new HashMap<>();
            for (long pid : pids) {
                GpuEnvironment.read(host, pid).ifPresent(environment -> found.put(pid, environment));
            }
            return found;
        };
    }
}
