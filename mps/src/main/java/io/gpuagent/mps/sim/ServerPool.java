// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import io.gpuagent.mps.control.Generation;
import io.gpuagent.mps.control.ServerStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The servers of a simulated daemon, their clients and those that wait. Used under the daemon's lock. */
final class ServerPool {
    /** The real daemon starts a server that died anew after about 50 ms, forever, as long as clients wait. */
    private static final Duration RESPAWN = Duration.ofMillis(50);
    /** A client has a connection and a CUDA context, and a thread of the server works for each. */
    private static final int CONTEXTS = 2;

    private final SimulatedSetup setup;
    private final SimulatedHost host;
    private final SimulatedLogs logs;
    private final Timers timers;
    private final LimitTable defaults;
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final Deque<SimulatedClient> pending = new ArrayDeque<>();
    private int everyServerExitsWith;
    private String failure = "";
    private boolean ignoresMemory;

    ServerPool(SimulatedSetup setup, SimulatedHost host, SimulatedLogs logs, Timers timers) {
        this.setup = setup;
        this.host = host;
        this.logs = logs;
        this.timers = timers;
        this.defaults = new LimitTable(setup.environment());
    }

    List<SimulatedServer> servers() {
        return servers;
    }

    LimitTable defaults() {
        return defaults;
    }

    boolean hasClients() {
        return servers.stream().anyMatch(server -> !server.clients.isEmpty());
    }

    void join(SimulatedClient client) {
        ClientProgram program = client.program();
        logs.control("Accepting connection...");
        logs.control("User did not send valid credentials");
        logs.control("Accepting connection...");
        String who = newClient(program);
        Optional<SimulatedServer> ready = servers.stream()
                .filter(server -> serves(server, client) && server.status != ServerStatus.Word.INITIALIZING)
                .findFirst();
        if (ready.isPresent()) {
            logs.control(who + "Server already exists");
            connect(ready.get(), client);
        } else {
            logs.control(who + "Server is not ready, push client to pending list");
            pending.add(client);
            serveNext();
        }
    }

    private static String newClient(ClientProgram program) {
        return "NEW CLIENT " + program.pid() + " from user " + program.uid() + ": ";
    }

    private boolean serves(SimulatedServer server, SimulatedClient client) {
        return !server.leaving
                && (setup.multiUser() || server.uid == client.program().uid());
    }

    private void connect(SimulatedServer server, SimulatedClient client) {
        int most = Generation.of(setup.version()).orElse(Generation.V3_CAPABLE).clientContexts();
        server.connect(client, most);
        if (client.state() == SimulatedClient.State.RUNNING) {
            // Its connection and its first CUDA context; ps counts otherwise, over all clients.
            for (int context = 0; context < CONTEXTS; context++) {
                String who = who(client, context);
                logs.server(server.pid, "Client " + who + " connected");
                logs.server(server.pid, "Creating worker thread for client " + who);
            }
            logs.server(server.pid, "Status of client " + who(client, 1) + " is ACTIVE");
        }
    }

    private static String who(SimulatedClient client, int context) {
        return "{PID: " + client.program().pid() + ", Context ID: " + context + "}";
    }

    /** Starts a server for the first in the queue; without -M, a server of another user has to end first. */
    void serveNext() {
        SimulatedClient first = pending.peek();
        if (first == null) {
            return;
        }
        for (SimulatedServer other : List.copyOf(servers)) {
            if (!serves(other, first) && other.clients.isEmpty() && !other.leaving) {
                shutDown(other);
            }
        }
        if (servers.isEmpty()) {
            start(setup.multiUser() ? setup.uid() : first.program().uid());
        }
    }

    void start(int uid) {
        if (servers.stream().anyMatch(server -> !server.leaving)) {
            return;
        }
        SimulatedServer server = new SimulatedServer(host.startServer(uid), uid, defaults, setup.devices());
        logs.control(server.pid, "Starting new server " + server.pid + " for user " + uid);
        logs.startingServer(server.pid, "Startup");
        logs.startingServer(server.pid, "Initializing server process");
        if (everyServerExitsWith != 0) {
            if (!failure.isEmpty()) {
                logs.server(server.pid, "Failed to start : " + failure);
            }
            host.endServer(server.pid);
            logs.control("Server " + server.pid + " exited with status " + everyServerExitsWith);
            timers.after(RESPAWN, this::serveNext);
            return;
        }
        server.ignoresMemory = ignoresMemory;
        servers.add(server);
        timers.after(setup.serverStart(), () -> becomeReady(server));
        timers.runDue();
    }

    private void becomeReady(SimulatedServer server) {
        if (!servers.contains(server)) {
            return;
        }
        server.status = ServerStatus.Word.ACTIVE;
        List<SimulatedDevice> devices = setup.devices();
        for (int device = 0; device < devices.size(); device++) {
            String name = devices.get(device).name();
            logs.server(server.pid, "Creating server context on device " + device + " (" + name + ")");
        }
        logs.control("NEW SERVER " + server.pid + ": Ready");
        logs.server(server.pid, "Active Threads Percentage set to " + server.limits.threadsText());
        if (!server.ignoresMemory) {
            server.limits.memoryBytes(devices.size()).forEach((device, bytes) -> logLimit(server, device, bytes));
        }
        logs.server(server.pid, "Server Priority set to " + server.limits.priority());
        logs.server(server.pid, "Server has started");
        for (SimulatedClient client : List.copyOf(pending)) {
            if (serves(server, client)) {
                pending.remove(client);
                logs.control(newClient(client.program()) + "Server already exists");
                connect(server, client);
            }
        }
    }

    private void logLimit(SimulatedServer server, int device, long bytes) {
        logs.server(
                server.pid,
                "Device pinned memory limit for device " + device + " set to 0x" + Long.toHexString(bytes) + " bytes");
    }

    /** The server writes a new limit of memory into its log, and nothing of a new share of threads. */
    void setMemory(SimulatedServer server, String device, String limit) {
        server.limits.setMemory(device, limit);
        if (server.ignoresMemory) {
            return;
        }
        for (int ordinal = 0; ordinal < setup.devices().size(); ordinal++) {
            if (device.equals(Integer.toString(ordinal))) {
                logLimit(server, ordinal, server.limits.limitBytes(device));
            }
        }
    }

    void leave(long pid) {
        pending.removeIf(client -> client.program().pid() == pid);
        for (SimulatedServer server : List.copyOf(servers)) {
            for (SimulatedClient client : List.copyOf(server.clients)) {
                if (client.program().pid() == pid) {
                    disconnect(server, client);
                }
            }
            if (server.leaving && server.clients.isEmpty()) {
                timers.after(setup.serverStop(), () -> left(server));
            }
        }
        timers.runDue();
        serveNext();
    }

    private void disconnect(SimulatedServer server, SimulatedClient client) {
        server.clients.remove(client);
        server.affected.remove(client);
        String failed = "Server failed to recevie command with status 806, assuming client ";
        logs.server(server.pid, failed + who(client, 1) + " exit");
        logs.server(
                server.pid,
                "Client " + who(client, 1) + " exiting. Number of active client contexts is " + server.clients.size()
                        + ".");
        logs.server(server.pid, failed + who(client, 0) + " exit");
        logs.server(server.pid, "Client process " + client.program().pid() + " disconnected");
        recover(server);
    }

    void shutDown(SimulatedServer server) {
        if (server.leaving) {
            return;
        }
        server.leaving = true;
        if (server.clients.isEmpty()) {
            timers.after(setup.serverStop(), () -> left(server));
            timers.runDue();
        } else {
            logStays(server);
        }
    }

    /** The daemon was told to quit: nobody is let in any more. */
    void refuseOthers() {
        breakPending();
        servers.stream().filter(server -> !server.clients.isEmpty()).forEach(this::logStays);
    }

    private void logStays(SimulatedServer server) {
        int workers = CONTEXTS * server.clients.size();
        logs.control("Server " + server.pid + " has " + workers + " active worker threads. Server will not shutdown.");
    }

    /** Told to go, it went. */
    private void left(SimulatedServer server) {
        logs.server(server.pid, "Exiting");
        exited(server, 0);
    }

    void exited(SimulatedServer server, int status) {
        if (servers.remove(server)) {
            breakClients(server, SimulatedClient.State.RPC_FAILURE);
            host.endServer(server.pid);
            logs.control("Server " + server.pid + " exited with status " + status);
            serveNext();
        }
    }

    private void breakPending() {
        pending.forEach(client -> client.become(SimulatedClient.State.RPC_FAILURE));
        pending.clear();
    }

    void endAll() {
        breakPending();
        for (SimulatedServer server : servers) {
            breakClients(server, SimulatedClient.State.RPC_FAILURE);
            host.endServer(server.pid);
        }
        servers.clear();
    }

    private static void breakClients(SimulatedServer server, SimulatedClient.State state) {
        server.clients.stream()
                .filter(client -> client.state() == SimulatedClient.State.RUNNING)
                .forEach(client -> client.become(state));
    }

    /** Terminating a busy client ended the busy one beside it (captured once); idle ones were left alone. */
    void terminate(SimulatedServer server, SimulatedClient victim) {
        victim.become(SimulatedClient.State.TERMINATED);
        if (victim.program().busy()) {
            server.clients.stream()
                    .filter(client -> client.program().busy() && client.state() == SimulatedClient.State.RUNNING)
                    .forEach(client -> client.become(SimulatedClient.State.ILLEGAL_ADDRESS));
        }
    }

    void fault(int device) {
        for (SimulatedServer server : servers) {
            if (server.status != ServerStatus.Word.ACTIVE) {
                continue;
            }
            server.status = ServerStatus.Word.FAULT;
            logs.server(server.pid, "Volta MPS: Server is handling a fatal GPU error.");
            for (SimulatedClient client : server.clients) {
                String who = "{" + client.program().pid() + ", " + client.contextId() + "}";
                logs.server(server.pid, "Volta MPS: status of client " + who + " is ACTIVE");
            }
            logs.server(server.pid, "Volta MPS: The following devices");
            logs.server(server.pid, Integer.toString(device));
            logs.server(server.pid, "Volta MPS: The following clients have a sticky error set:");
            for (SimulatedClient client : server.clients) {
                logs.server(server.pid, Long.toString(client.program().pid()));
            }
            server.affected.addAll(server.clients);
            breakClients(server, SimulatedClient.State.GPU_FAULT);
            recover(server);
        }
    }

    private void recover(SimulatedServer server) {
        if (server.status == ServerStatus.Word.FAULT && server.affected.isEmpty()) {
            for (int device = 0; device < setup.devices().size(); device++) {
                logs.server(server.pid, "Volta MPS: Destroy server context on device " + device);
                logs.server(server.pid, "Volta MPS: Creating server context on device " + device);
            }
            server.status = ServerStatus.Word.ACTIVE;
        }
    }

    void ignoreMemoryLimits() {
        ignoresMemory = true;
    }

    void everyServerExitsWith(int status, String reason) {
        everyServerExitsWith = status;
        failure = reason;
    }
}
