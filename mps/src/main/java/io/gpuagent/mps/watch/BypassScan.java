// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import io.gpuagent.mps.supervise.GpuUse;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds processes that compute on a GPU past its daemon. In compute mode DEFAULT a program with a wrong pipe directory,
 * or with none, gets the whole GPU and no limit, and nothing tells it.
 */
public final class BypassScan {
    private BypassScan() {}

    /**
     * One that was found.
     *
     * @param pid its pid
     * @param memoryBytes device memory that it holds; empty where the driver does not tell
     */
    public record Suspect(long pid, OptionalLong memoryBytes) {}

    /**
     * All processes with a compute context, without MPS clients and servers. As captured on an H200 (driver 580.159.04),
     * the driver lists a server and its clients as computing, and the clients alone as MPS clients.
     *
     * @param device what NVML tells of the device
     * @param servers pids of the servers of its daemon
     * @return the others by pid; empty where the driver does not list one of the two kinds
     */
    public static Optional<List<Suspect>> suspects(GpuUse.Device device, Set<Long> servers) {
        if (device.computing().isEmpty() || device.mpsClients().isEmpty()) {
            return Optional.empty();
        }
        Map<Long, OptionalLong> clients = device.mpsClients().get();
        return Optional.of(device.computing().get().entrySet().stream()
                // 0 is a process of another pid namespace, which nobody could look up.
                .filter(process -> process.getKey() > 0)
                .filter(process -> !clients.containsKey(process.getKey()) && !servers.contains(process.getKey()))
                .map(process -> new Suspect(process.getKey(), process.getValue()))
                .sorted(Comparator.comparingLong(Suspect::pid))
                .toList());
    }
}
