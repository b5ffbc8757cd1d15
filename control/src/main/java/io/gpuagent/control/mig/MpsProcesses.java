// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.mig;

import io.gpuagent.host.GpuEnvironment;
import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessDetails;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The MPS daemons of this agent, which it stops before their instance goes, and their servers. Those of others are
 * programs like any other: nobody but their owner stops them.
 *
 * @param daemons pids of daemons by the device that they serve
 * @param all pids of daemons and servers
 */
record MpsProcesses(Map<String, Long> daemons, Set<Long> all) {
    private static final String DAEMON = "nvidia-cuda-mps-control";
    private static final String SERVER = "nvidia-cuda-mps-server";

    static MpsProcesses of(HostView host, Map<Long, GpuEnvironment> environments, Path pipes) {
        Map<String, Long> daemons = new HashMap<>();
        Set<Long> all = new HashSet<>();
        environments.forEach((pid, environment) -> {
            String pipe = environment.variables().getOrDefault("CUDA_MPS_PIPE_DIRECTORY", "");
            if (!pipe.startsWith(pipes + "/")) {
                return;
            }
            Optional<String> program = ProcessDetails.of(host, pid).flatMap(ProcessDetails::program);
            if (program.equals(Optional.of(DAEMON))) {
                daemons.put(environment.variables().getOrDefault("CUDA_VISIBLE_DEVICES", ""), pid);
                all.add(pid);
            } else if (program.equals(Optional.of(SERVER))) {
                all.add(pid);
            }
        });
        return new MpsProcesses(daemons, all);
    }

    Optional<Long> daemonOf(String device) {
        return Optional.ofNullable(daemons.get(device));
    }

    boolean isOurs(long pid) {
        return all.contains(pid);
    }

    boolean isServerOfOurs(long pid) {
        return all.contains(pid) && !daemons.containsValue(pid);
    }
}
