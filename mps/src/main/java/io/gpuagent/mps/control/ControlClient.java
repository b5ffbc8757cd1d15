// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Asks one control daemon and sets its limits. Any thread may call; commands go out one at a time, each with a deadline
 * of 10 s. A command takes about 2 ms of the daemon and starts a program here, so nothing should ask in a steady state.
 */
public final class ControlClient {
    private final Commands commands;
    private final Generation generation;
    private final int version;
    private final int devices;

    private ControlClient(Commands commands, Generation generation, int version, int devices) {
        this.commands = commands;
        this.generation = generation;
        this.version = version;
        this.devices = devices;
    }

    /**
     * Reads the version of the client program, which needs no daemon. A daemon that was started by another version says
     * so in its log.
     *
     * @param transport the way to the daemon
     * @param devices how many devices the daemon's CUDA_VISIBLE_DEVICES names
     * @param observer sees each command
     * @param clock measures how long they take
     * @return the client; {@link Refusal#TOO_NEW} and {@link Refusal#UNEXPECTED} for versions nothing is known of
     */
    public static Answer<ControlClient> open(
            ControlTransport transport, int devices, CommandObserver observer, Clock clock) {
        Commands commands = new Commands(transport, observer, clock);
        return commands.askVersion(
                        text -> Generation.version(text).orElseThrow(() -> new IllegalArgumentException(text)))
                .then(version -> Generation.of(version)
                        .<Answer<ControlClient>>map(
                                known -> new Answer.Value<>(new ControlClient(commands, known, version, devices)))
                        .orElseGet(() -> new Answer.Refused<>("-v", Refusal.TOO_NEW, "Binary version: " + version)));
    }

    /**
     * What the program can do.
     *
     * @return its generation
     */
    public Generation generation() {
        return generation;
    }

    /**
     * The program's binary version.
     *
     * @return 1000 * major + 10 * minor of CUDA, for example 13000
     */
    public int version() {
        return version;
    }

    /**
     * The servers ({@code get_server_list}).
     *
     * @return their pids; none before the first client has come
     */
    public Answer<List<Long>> servers() {
        return commands.ask("get_server_list", ControlClient::pids);
    }

    /**
     * The state of a server.
     *
     * @param server its pid
     * @return its state
     */
    public Answer<ServerStatus> status(long server) {
        return commands.ask("get_server_status " + server, ServerStatus::parse);
    }

    /**
     * The clients of a server ({@code get_client_list}).
     *
     * @param server its pid
     * @return their pids in the daemon's order
     */
    public Answer<List<Long>> clients(long server) {
        return commands.ask("get_client_list " + server, ControlClient::pids);
    }

    /**
     * The clients of all servers ({@code ps}).
     *
     * @return a row each; {@link Refusal#NO_SUCH_SERVER} after the last server has died
     */
    public Answer<List<ClientProcess>> processes() {
        return commands.ask("ps", ClientProcess::parse);
    }

    /**
     * The contexts on each device ({@code get_device_client_list}), which is what the cap of clients counts.
     *
     * @return an entry for each device
     */
    public Answer<List<DeviceClients>> deviceClients() {
        // With 0 the daemon lists all servers (captured); without an argument it was never tried.
        return commands.ask("get_device_client_list 0", DeviceClients::parse);
    }

    /**
     * The devices of new servers and of each server ({@code device_query}).
     *
     * @return a table each
     */
    public Answer<List<DeviceTable>> devices() {
        return commands.ask("device_query", DeviceTable::parse);
    }

    /**
     * The static partitions ({@code lspart}).
     *
     * @return rows of GPUs and partitions; {@link Refusal#UNKNOWN_COMMAND} before CUDA 13.1
     */
    public Answer<List<SmPartition.Row>> partitions() {
        return commands.ask("lspart", SmPartition::list);
    }

    /**
     * Makes a static partition ({@code sm_partition add}); the daemon must run with {@code -S}.
     *
     * @param device the GPU's UUID or its beginning
     * @param chunks its size; a chunk is 8 multiprocessors from Hopper on
     * @return the partition
     */
    public Answer<SmPartition> addPartition(String device, int chunks) {
        return commands.ask("sm_partition add " + device + " " + chunks, SmPartition::created);
    }

    /**
     * Removes a static partition and looks whether it is gone.
     *
     * @param partition which
     * @return {@link Refusal#IN_USE} while it has clients
     */
    public Answer<Accepted> removePartition(SmPartition partition) {
        String command = "sm_partition rm " + partition.device() + " " + partition.id();
        // What it prints on success was never seen: the list decides.
        return commands.ask(command, _ -> Accepted.ACCEPTED)
                .then(_ -> partitions())
                .then(rows -> rows.stream()
                                .anyMatch(row -> row instanceof SmPartition.Row.Partition there
                                        && there.partition().id().equals(partition.id()))
                        ? new Answer.Refused<>(command, Refusal.NOT_IN_FORCE, "lspart still lists it")
                        : new Answer.Value<>(Accepted.ACCEPTED));
    }

    /**
     * The limits of servers that start later.
     *
     * @return the default limits
     */
    public Limits defaults() {
        return new Limits(commands, devices, OptionalLong.empty());
    }

    /**
     * The limits of a running server for clients that connect later.
     *
     * @param server its pid
     * @return its limits
     */
    public Limits limits(long server) {
        return new Limits(commands, devices, OptionalLong.of(server));
    }

    /**
     * The priority of clients that connect later.
     *
     * @return the priority in force
     */
    public Answer<ClientPriority> defaultPriority() {
        return commands.ask("get_default_client_priority", ClientPriority::fromDaemon);
    }

    /**
     * Sets the priority of clients that connect later, and reads it back.
     *
     * @param priority the priority
     * @return the priority in force, which is the one asked for
     */
    public Answer<ClientPriority> setDefaultPriority(ClientPriority priority) {
        String command = "set_default_client_priority " + priority.commandForm();
        // What it prints on success was never seen, so any text that is no refusal will do: the value decides.
        return commands.verified(
                command, commands.ask(command, _ -> Accepted.ACCEPTED), this::defaultPriority, priority);
    }

    /**
     * Starts a server before the first client comes; it is there within 2 s on an H200.
     *
     * @param uid whose server
     * @return accepted; look at {@link #servers} for it
     */
    public Answer<Accepted> startServer(int uid) {
        return commands.ask("start_server -uid " + Integer.toUnsignedString(uid), AnswerText::nothing);
    }

    /**
     * Asks a server to go, which takes about a second.
     *
     * @param server its pid
     * @return accepted; look at {@link #servers} for it
     */
    public Answer<Accepted> shutdownServer(long server) {
        return commands.ask("shutdown_server " + server, AnswerText::nothing);
    }

    /**
     * Destroys a client's contexts; its process stays. Never without consent: on an H200 it ended the busy client beside
     * the busy one that it was meant for.
     *
     * @param server the server's pid
     * @param client the client's pid
     * @return accepted; {@link Refusal#CUDA_ERROR} with its number otherwise
     */
    public Answer<Accepted> terminateClient(long server, long client) {
        return terminateClient(server, client, Commands.DEADLINE);
    }

    /**
     * The same, for those who have less time.
     *
     * @param server the server's pid
     * @param client the client's pid
     * @param deadline when to give up
     * @return accepted; {@link Refusal#CUDA_ERROR} with its number otherwise
     */
    public Answer<Accepted> terminateClient(long server, long client, Duration deadline) {
        String command = "terminate_client " + server + " " + client;
        return commands.ask(command, deadline, output -> Integer.valueOf(output.strip()))
                .then(code -> code == 0
                        ? new Answer.Value<>(Accepted.ACCEPTED)
                        : new Answer.Refused<>(command, Refusal.CUDA_ERROR, code.toString()));
    }

    /**
     * Ends the daemon and its servers, at the latest when this time is over ({@code quit -t}); with clients left, they
     * break then. Plain {@code quit} waits for the clients without an end and is not offered.
     *
     * @param grace how long clients may still take, in whole seconds; 0 is at once
     * @return accepted; the deadline is the grace and 3 s more
     */
    public Answer<Accepted> quit(Duration grace) {
        long seconds = Math.max(0, grace.toSeconds());
        return commands.ask("quit -t " + seconds, Duration.ofSeconds(seconds + 3), AnswerText::nothing);
    }

    private static List<Long> pids(String output) {
        return output.lines()
                .filter(line -> !line.isBlank())
                .map(line -> Long.valueOf(line.strip()))
                .toList();
    }
}
