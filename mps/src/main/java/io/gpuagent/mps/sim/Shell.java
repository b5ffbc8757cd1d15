// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The daemon's command language, but for {@code quit}: texts word for word as captured, spelling mistakes too. */
final class Shell {
    // Which commands beside the captured setter need the privilege was never seen.
    private static final Set<String> CHANGES = Set.of("start_server", "shutdown_server", "terminate_client");

    private final SimulatedSetup setup;
    private final ServerPool pool;

    Shell(SimulatedSetup setup, ServerPool pool) {
        this.setup = setup;
        this.pool = pool;
    }

    Reply run(String[] words, boolean privileged, int uid) {
        String verb = words[0];
        if (!privileged && (verb.startsWith("set_") || CHANGES.contains(verb))) {
            return Reply.line("Insufficient privileges for UID " + Integer.toUnsignedString(uid)
                    + ". Control deamon settings can only be modified by the user who started it or by the root user.");
        }
        LimitTable defaults = pool.defaults();
        return switch (verb) {
            case "get_server_list" -> lines(pool.servers(), server -> Long.toString(server.pid));
            case "get_server_status" -> onServer(words, server -> Reply.line(server.status.name()));
            case "get_client_list" ->
                onServer(
                        words,
                        server -> lines(
                                server.clients,
                                client -> Long.toString(client.program().pid())));
            case "get_device_client_list" -> deviceClients();
            case "ps" -> processes();
            case "device_query" -> devices();
            case "get_default_active_thread_percentage" -> Reply.line(defaults.threadsText());
            case "set_default_active_thread_percentage" -> setThreads(defaults, word(words, 1));
            case "get_active_thread_percentage" -> onServer(words, server -> Reply.line(server.limits.threadsText()));
            case "set_active_thread_percentage" -> onServer(words, server -> setThreads(server.limits, word(words, 2)));
            case "get_default_device_pinned_mem_limit" -> memory(defaults, word(words, 1));
            case "set_default_device_pinned_mem_limit" -> setMemory(defaults, word(words, 1), word(words, 2));
            case "get_device_pinned_mem_limit" -> onServer(words, server -> memory(server.limits, word(words, 2)));
            case "set_device_pinned_mem_limit" ->
                onServer(words, server -> setMemory(server, word(words, 2), word(words, 3)));
            case "get_default_client_priority" -> Reply.line(Integer.toString(defaults.priority()));
            case "set_default_client_priority" ->
                defaults.setPriority(word(words, 1))
                        ? Reply.nothing()
                        : Reply.line("Invalid priority value - must be 0 or 1!");
            case "start_server" -> startServer(words);
            case "shutdown_server" -> onServer(words, this::shutDown);
            case "terminate_client" -> onServer(words, server -> terminate(server, word(words, 2)));
            default -> Reply.line("Unknown command \"" + verb + "\"");
        };
    }

    private static String word(String[] words, int index) {
        return index < words.length ? words[index] : "";
    }

    private Reply onServer(String[] words, Function<SimulatedServer, Reply> action) {
        String pid = word(words, 1);
        Optional<SimulatedServer> server = pool.servers().stream()
                .filter(one -> Long.toString(one.pid).equals(pid))
                .findFirst();
        return server.map(action).orElseGet(() -> Reply.line("Server " + pid + " not found"));
    }

    private static <T> Reply lines(List<T> items, Function<T, String> line) {
        return new Reply(items.stream().map(item -> line.apply(item) + "\n").collect(Collectors.joining()), 0);
    }

    private static Reply setThreads(LimitTable limits, String value) {
        limits.setThreads(value);
        return Reply.line(limits.threadsText());
    }

    private static Reply memory(LimitTable limits, String device) {
        String limit = limits.memory(device);
        return limit.isEmpty() ? Reply.nothing() : Reply.line(limit);
    }

    private static Reply setMemory(LimitTable limits, String device, String value) {
        limits.setMemory(device, value);
        return Reply.nothing();
    }

    private Reply setMemory(SimulatedServer server, String device, String value) {
        pool.setMemory(server, device, value);
        return Reply.nothing();
    }

    private Reply startServer(String[] words) {
        String uid = word(words, 2);
        if (word(words, 1).equals("-uid") && uid.matches("\\d{1,9}")) {
            pool.start(Integer.parseInt(uid));
        }
        return Reply.nothing();
    }

    private Reply shutDown(SimulatedServer server) {
        pool.shutDown(server);
        return Reply.nothing();
    }

    private Reply terminate(SimulatedServer server, String pid) {
        Optional<SimulatedClient> victim = server.clients.stream()
                .filter(client -> Long.toString(client.program().pid()).equals(pid))
                .findFirst();
        victim.ifPresent(client -> pool.terminate(server, client));
        // CUDA_ERROR_INVALID_VALUE for a client that is not there was never seen.
        return Reply.line(victim.isPresent() ? "0" : "1");
    }

    /** The bus id is wrong, as on the real machine. */
    private Reply deviceClients() {
        StringBuilder text = new StringBuilder();
        if (!pool.servers().isEmpty()) {
            List<SimulatedDevice> devices = setup.devices();
            for (int ordinal = 0; ordinal < devices.size(); ordinal++) {
                text.append(String.format(
                        Locale.ROOT,
                        "[%d] 00:00.0, %s%n",
                        ordinal,
                        devices.get(ordinal).name()));
                for (SimulatedServer server : pool.servers()) {
                    server.clients.forEach(
                            client -> text.append(client.program().pid()).append(".1\n"));
                }
            }
        }
        return new Reply(text.toString(), 0);
    }

    private Reply processes() {
        if (pool.servers().isEmpty()) {
            return Reply.line("Server not found");
        }
        String form = "%-10s%-10s%-15s%-26s%-15s%-15s%n";
        StringBuilder text = new StringBuilder();
        String device = setup.devices().getFirst().uuid();
        // The first three groups of the UUID.
        String shortened = device.split("-", -1).length > 4
                ? String.join("-", List.of(device.split("-", -1)).subList(0, 4))
                : device;
        for (SimulatedServer server : pool.servers()) {
            for (SimulatedClient client : server.clients) {
                text.append(String.format(
                        Locale.ROOT,
                        form,
                        client.program().pid(),
                        client.contextId(),
                        server.pid,
                        shortened,
                        "4026531836",
                        client.program().command()));
            }
        }
        return text.isEmpty()
                ? Reply.nothing()
                : new Reply(
                        String.format(Locale.ROOT, form, "PID", "ID", "SERVER", "DEVICE", "NAMESPACE", "COMMAND")
                                + text,
                        0);
    }

    private Reply devices() {
        StringBuilder text = new StringBuilder("Default\n").append(deviceTable());
        for (SimulatedServer server : pool.servers()) {
            text.append("\nServer ").append(server.pid).append("\n").append(deviceTable());
        }
        return new Reply(text.toString(), 0);
    }

    private String deviceTable() {
        String form = "%-16s%-15s%-42s%-34s%s%n";
        StringBuilder text = new StringBuilder(
                String.format(Locale.ROOT, form, "Device Ordinal", "PCI IDs", "UUID", "Name", "Attributes"));
        List<SimulatedDevice> devices = setup.devices();
        for (int ordinal = 0; ordinal < devices.size(); ordinal++) {
            SimulatedDevice device = devices.get(ordinal);
            text.append(String.format(Locale.ROOT, form, ordinal, device.pciId(), device.uuid(), device.name(), "N/A"));
        }
        return text.toString();
    }
}
