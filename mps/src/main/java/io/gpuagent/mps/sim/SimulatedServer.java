// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ServerStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A server of a simulated daemon. */
final class SimulatedServer {
    /** A client's context alone takes about 187 MB on an H200: a limit below that ends it at once. */
    private static final long CONTEXT_BYTES = 187_000_000;

    final long pid;
    final int uid;
    final LimitTable limits;
    final List<SimulatedClient> clients = new ArrayList<>();
    final Set<SimulatedClient> affected = new HashSet<>();
    private final List<SimulatedDevice> devices;
    private long nextContext = 1;
    /** Whether limits of memory are kept and told, and hold nobody. */
    boolean ignoresMemory;

    ServerStatus.Word status = ServerStatus.Word.INITIALIZING;
    boolean leaving;

    SimulatedServer(long pid, int uid, LimitTable defaults, List<SimulatedDevice> devices) {
        this.pid = pid;
        this.uid = uid;
        this.limits = new LimitTable(defaults);
        this.devices = devices;
    }

    /** Lets a client in or tells it why not. */
    void connect(SimulatedClient client, int mostContexts) {
        if (status == ServerStatus.Word.FAULT) {
            client.become(SimulatedClient.State.SERVER_NOT_READY);
            return;
        }
        if (clients.size() >= mostContexts) {
            client.become(SimulatedClient.State.MAX_CLIENTS_REACHED);
            return;
        }
        LimitTable own = new LimitTable(client.program().environment());
        double threads = Math.min(limits.threads(), own.threads());
        Map<Integer, Long> memory = memory(client.program().environment());
        client.admit(pid, nextContext++, threads, devices.getFirst().multiprocessors(), memory);
        if (memory.values().stream().anyMatch(bytes -> bytes < CONTEXT_BYTES)) {
            client.become(SimulatedClient.State.OUT_OF_MEMORY);
            return;
        }
        clients.add(client);
    }

    /** The smaller limit counts; but one entry for a device that is not visible drops all limits, the server's too. */
    private Map<Integer, Long> memory(Map<String, String> environment) {
        Map<Integer, Long> memory = new HashMap<>(ignoresMemory ? Map.of() : limits.memoryBytes(devices.size()));
        for (Map.Entry<String, String> entry : LimitTable.entries(environment.getOrDefault(MpsEnvironment.MEMORY, ""))
                .entrySet()) {
            int ordinal = ordinal(entry.getKey());
            if (ordinal < 0) {
                return Map.of();
            }
            memory.merge(ordinal, LimitTable.bytes(entry.getValue()), Math::min);
        }
        return memory;
    }

    private int ordinal(String device) {
        for (int i = 0; i < devices.size(); i++) {
            if (device.equals(Integer.toString(i)) || devices.get(i).uuid().equals(device)) {
                return i;
            }
        }
        return -1;
    }
}
