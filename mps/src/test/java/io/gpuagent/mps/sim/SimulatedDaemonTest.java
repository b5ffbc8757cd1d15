// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.log.DaemonLog;
import io.gpuagent.mps.log.MpsEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedDaemonTest {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private DaemonFolders folders;
    private SimulatedSetup setup;

    @BeforeEach
    void setUp() {
        folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
        setup = SimulatedSetup.h200(folders);
    }

    private SimulatedDaemon start() {
        return SimulatedDaemon.start(setup, clock);
    }

    private static String ask(SimulatedDaemon daemon, String command) {
        return daemon.answer(command, 0).join().text().strip();
    }

    private List<MpsEvent> events() throws IOException {
        try (DaemonLog log = DaemonLog.fromStart(folders, clock)) {
            List<DaemonLog.Entry> entries = new ArrayList<>(log.poll());
            // A list of a fault at the end of a log is whole when nothing more comes.
            entries.addAll(log.poll());
            return entries.stream().map(DaemonLog.Entry::event).toList();
        }
    }

    @Test
    void ofTwoCommandsOnlyTheLastOnesAnswerComesBackAndBothAreCarriedOut() {
        SimulatedDaemon daemon = start();

        assertThat(ask(daemon, "set_default_active_thread_percentage 30\nget_server_list\n"))
                .isEmpty();
        assertThat(ask(daemon, "get_default_active_thread_percentage")).isEqualTo("30.0");
    }

    @Test
    void anotherUsersClientWaitsUntilTheFirstUsersServerHasNoClients() throws IOException {
        SimulatedDaemon daemon = start();
        daemon.join(ClientProgram.of(100));
        SimulatedClient other = daemon.join(ClientProgram.of(200).withUid(1000));
        assertThat(other.state()).isEqualTo(SimulatedClient.State.PENDING);

        daemon.leave(100);

        assertThat(other.state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(daemon.serverPids()).hasSize(1);
        assertThat(events())
                .containsSubsequence(
                        new MpsEvent.ClientConnecting(100, 0, true),
                        new MpsEvent.ServerStarting(491, 0),
                        new MpsEvent.ServerReady(491),
                        new MpsEvent.ClientConnecting(200, 1000, true),
                        new MpsEvent.ServerExited(491, 0),
                        new MpsEvent.ServerStarting(492, 1000),
                        new MpsEvent.ServerReady(492));
    }

    @Test
    void inMultiUserModeOneServerOfTheDaemonsUserServesAll() throws IOException {
        setup = setup.withMultiUser(true);
        SimulatedDaemon daemon = start();

        daemon.join(ClientProgram.of(100).withUid(1000));
        SimulatedClient other = daemon.join(ClientProgram.of(200).withUid(1001));

        assertThat(other.state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(daemon.serverPids()).hasSize(1);
        assertThat(events()).contains(new MpsEvent.ServerStarting(491, 0));
    }

    @Test
    void aServerThatDiesAtItsStartIsStartedAnewEveryFiftyMilliseconds() throws IOException {
        SimulatedDaemon daemon = start();
        daemon.everyServerExitsWith(1, "invalid argument");
        SimulatedClient client = daemon.join(ClientProgram.of(100).withUid(1000));
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofMillis(50));
            daemon.tick();
        }

        assertThat(events().stream()
                        .filter(event -> event instanceof MpsEvent.ServerExited(long _, int status) && status == 1))
                .hasSize(11);
        assertThat(events()).contains(new MpsEvent.ServerFailed(491, "invalid argument"));

        daemon.everyServerExitsWith(0, "");
        clock.advance(Duration.ofMillis(50));
        daemon.tick();
        assertThat(client.state()).isEqualTo(SimulatedClient.State.RUNNING);
    }

    @Test
    void aServerInitialisesForAsLongAsItIsTold() {
        setup = setup.withServerTimes(Duration.ofSeconds(2), Duration.ofSeconds(1));
        SimulatedDaemon daemon = start();
        SimulatedClient client = daemon.join(ClientProgram.of(100));
        assertThat(ask(daemon, "get_server_status 491")).isEqualTo("INITIALIZING");
        assertThat(client.state()).isEqualTo(SimulatedClient.State.PENDING);

        clock.advance(Duration.ofSeconds(2));

        assertThat(ask(daemon, "get_server_status 491")).isEqualTo("ACTIVE");
        assertThat(client.state()).isEqualTo(SimulatedClient.State.RUNNING);

        daemon.leave(100);
        ask(daemon, "shutdown_server 491");
        assertThat(ask(daemon, "get_server_list")).isEqualTo("491");
        clock.advance(Duration.ofSeconds(1));
        assertThat(ask(daemon, "get_server_list")).isEmpty();
    }

    @Test
    void aFaultLetsNobodyInUntilAllAffectedClientsHaveExited() throws IOException {
        SimulatedDaemon daemon = start();
        SimulatedClient first = daemon.join(ClientProgram.of(100));
        daemon.join(ClientProgram.of(101));

        daemon.fault(0);

        assertThat(first.state()).isEqualTo(SimulatedClient.State.GPU_FAULT);
        assertThat(ask(daemon, "get_server_status 491")).isEqualTo("FAULT");
        assertThat(daemon.join(ClientProgram.of(102)).state()).isEqualTo(SimulatedClient.State.SERVER_NOT_READY);
        daemon.leave(100);
        assertThat(ask(daemon, "get_server_status 491")).isEqualTo("FAULT");
        daemon.leave(101);
        assertThat(ask(daemon, "get_server_status 491")).isEqualTo("ACTIVE");
        assertThat(daemon.join(ClientProgram.of(103)).state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(events())
                .containsSubsequence(
                        new MpsEvent.GpuFaultBegun(491),
                        new MpsEvent.ClientStatus(491, 100, 1, true),
                        new MpsEvent.GpuFault(491, List.of(0), List.of(100L, 101L)),
                        new MpsEvent.ClientExited(491, 100, 1),
                        new MpsEvent.ServerContext(491, 0, false),
                        new MpsEvent.ServerContext(491, 0, true));
    }

    /** Tried on an H200 in seven spellings: the daemon's variable of memory does nothing, those of the other parts count. */
    @Test
    void theDaemonsEnvironmentSetsThreadsAndPriorityButNoLimitOfMemory() throws IOException {
        setup = setup.withEnvironment(Map.of(
                "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "33",
                "CUDA_MPS_CLIENT_PRIORITY", "1",
                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=5G"));
        SimulatedDaemon daemon = start();
        SimulatedClient client = daemon.join(ClientProgram.of(100));

        assertThat(ask(daemon, "get_default_device_pinned_mem_limit 0")).isEmpty();
        assertThat(client.threads()).isEqualTo(33);
        assertThat(client.memoryLimit(0)).isEmpty();
        assertThat(events())
                .contains(new MpsEvent.PrioritySet(491, 1))
                .noneMatch(event -> event instanceof MpsEvent.LimitSet);
    }

    @Test
    void aServerThatASignalEndedExitsWithStatusZero() throws IOException {
        SimulatedDaemon daemon = start();
        daemon.join(ClientProgram.of(100));

        daemon.serverDied(491, 128 + 9);

        assertThat(events())
                .contains(new MpsEvent.ServerExited(491, 0))
                .doesNotContain(new MpsEvent.ServerLeaving(491));
    }

    @Test
    void theServersLogProvesWhichLimitsTook() throws IOException {
        setup = setup.withEnvironment(Map.of("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "33"));
        SimulatedDaemon daemon = start();
        ask(daemon, "set_default_device_pinned_mem_limit 0 5G");
        daemon.join(ClientProgram.of(100));

        assertThat(events())
                .contains(new MpsEvent.LimitSet(491, 0, 0x140000000L))
                .anyMatch(
                        event -> event instanceof MpsEvent.ThreadsSet(long _, var threads) && threads.tenths() == 330);
    }

    // k8s-device-plugin #569, PR #572.
    @Test
    void aLimitByUuidIsTakenReadBackAndNotInForce() throws IOException {
        SimulatedDaemon daemon = start();
        String uuid = SimulatedDevice.H200.uuid();

        ask(daemon, "set_default_device_pinned_mem_limit " + uuid + " 5G");
        SimulatedClient client = daemon.join(ClientProgram.of(100));

        assertThat(ask(daemon, "get_default_device_pinned_mem_limit " + uuid)).isEqualTo("5G");
        assertThat(client.memoryLimit(0)).isEmpty();
        assertThat(events()).noneMatch(event -> event instanceof MpsEvent.LimitSet);
    }

    @Test
    void terminatingABusyClientBreaksTheBusyOneBesideIt() {
        SimulatedDaemon daemon = start();
        daemon.join(ClientProgram.of(100).withWork());
        SimulatedClient busy = daemon.join(ClientProgram.of(101).withWork());
        SimulatedClient idle = daemon.join(ClientProgram.of(102));

        assertThat(ask(daemon, "terminate_client 491 100")).isEqualTo("0");

        assertThat(busy.state()).isEqualTo(SimulatedClient.State.ILLEGAL_ADDRESS);
        assertThat(idle.state()).isEqualTo(SimulatedClient.State.RUNNING);
    }

    // A public launch script, repository unnamed: plain quit hung.
    @Test
    void plainQuitWaitsForItsClientsAndSaysSoInTheLog() throws IOException {
        SimulatedDaemon daemon = start();
        daemon.join(ClientProgram.of(100));

        var quit = daemon.answer("quit", 0);
        clock.advance(Duration.ofHours(1));
        daemon.tick();
        assertThat(quit).isNotDone();
        assertThat(events()).contains(new MpsEvent.ServerStays(491, 2));

        daemon.leave(100);
        assertThat(quit).isDone();
        assertThat(daemon.isAlive()).isFalse();
        assertThat(Files.exists(folders.pipe().file(PipeDirectory.PID_FILE))).isFalse();
    }

    @Test
    void theFortyNinthClientIsRefused() {
        SimulatedDaemon daemon = start();
        for (int i = 0; i < 48; i++) {
            assertThat(daemon.join(ClientProgram.of(100 + i)).state()).isEqualTo(SimulatedClient.State.RUNNING);
        }
        assertThat(daemon.join(ClientProgram.of(200)).state()).isEqualTo(SimulatedClient.State.MAX_CLIENTS_REACHED);
    }

    @Test
    void clientsOfAServerThatWasShutDownStayAndNewOnesGetANewServer() {
        SimulatedDaemon daemon = start();
        SimulatedClient old = daemon.join(ClientProgram.of(100));
        ask(daemon, "shutdown_server 491");

        SimulatedClient waiting = daemon.join(ClientProgram.of(101));
        assertThat(old.state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(waiting.state()).isEqualTo(SimulatedClient.State.PENDING);

        daemon.leave(100);
        assertThat(waiting.state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(waiting.server()).isEqualTo(492);
    }
}
