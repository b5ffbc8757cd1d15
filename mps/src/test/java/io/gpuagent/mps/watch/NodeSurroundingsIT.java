// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessDetails;
import io.gpuagent.model.mps.ForeignMpsDaemon;
import io.gpuagent.model.mps.MpsBypass;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.fake.FakeClient;
import io.gpuagent.mps.fake.FakeMps;
import io.gpuagent.mps.supervise.GpuUse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over real processes in the real /proc, where other tests' daemons may run as well. */
class NodeSurroundingsIT {
    private static final HostView HOST = HostView.real();

    @TempDir
    Path folder;

    private FakeMps fake;
    private DaemonFolders folders;
    private Process daemon;
    private GpuUse.Device device = Views.device(Optional.empty(), Optional.empty());

    @BeforeEach
    void start() throws IOException {
        fake = FakeMps.install(folder.resolve("bin"));
        folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
        daemon = fake.startDaemon(folders, Map.of("CUDA_VISIBLE_DEVICES", Views.GPU));
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private FakeClient client(Map<String, String> environment) throws IOException {
        FakeClient client = fake.startClient(folders, 0, environment);
        client.awaitState("RUNNING");
        return client;
    }

    private NodeSurroundings refreshed() {
        NodeSurroundings surroundings = new NodeSurroundings(
                new MpsProcessScan(HOST, EnvironmentSource.direct(HOST)),
                uuid -> uuid.equals(Views.GPU) ? Optional.of(device) : Optional.empty(),
                pid -> ProcessDetails.of(HOST, pid).map(ProcessDetails::name),
                new CachedOwners(HOST, CachedOwners.MOST));
        surroundings.refresh();
        return surroundings;
    }

    private MpsDaemonView ours() {
        return Views.daemon(MpsState.ACTIVE, OptionalLong.of(daemon.pid()), List.of(), List.of());
    }

    private List<Long> servers() throws Exception {
        MpsProcesses seen = new MpsProcessScan(HOST, EnvironmentSource.direct(HOST)).look();
        return seen.servers().stream()
                .filter(server -> server.parent() == daemon.pid())
                .map(MpsProcess::pid)
                .toList();
    }

    @Test
    void aDaemonOfSomebodyElseIsSeenWithItsServerAndLeftAlone() throws Exception {
        FakeClient client = client(Map.of());
        List<Long> servers = servers();

        Optional<ForeignMpsDaemon> seen = refreshed().foreign(List.of()).stream()
                .filter(foreign -> foreign.pid() == daemon.pid())
                .findFirst();

        assertThat(servers).hasSize(1);
        assertThat(seen)
                .contains(new ForeignMpsDaemon(
                        daemon.pid(),
                        OptionalLong.of(HOST.uid()),
                        Optional.of(folders.pipe().path()),
                        List.of(Views.GPU),
                        servers));
        assertThat(client.state()).startsWith("RUNNING");
        assertThat(daemon.isAlive()).isTrue();
    }

    /** From the third look on, processes that have been there are not read again; new ones are, and the known daemons. */
    @Test
    void aDaemonThatComesLaterIsSeenAtTheNextLookAndOneThatIsKnownStays() throws Exception {
        MpsProcessScan scan = new MpsProcessScan(HOST, EnvironmentSource.direct(HOST));
        for (int look = 0; look < 3; look++) {
            assertThat(scan.look().daemons()).extracting(MpsProcess::pid).contains(daemon.pid());
        }
        DaemonFolders others =
                new DaemonFolders(new PipeDirectory(folder.resolve("other")), folder.resolve("other-log"));

        Process later = fake.startDaemon(others, Map.of());

        assertThat(scan.look().daemons()).extracting(MpsProcess::pid).contains(daemon.pid(), later.pid());
        later.destroyForcibly().onExit().join();
        assertThat(scan.look().daemons())
                .extracting(MpsProcess::pid)
                .contains(daemon.pid())
                .doesNotContain(later.pid());
    }

    /** A shell that becomes a daemon long after it was first seen. */
    @Test
    void aProcessThatBecomesADaemonLateIsSeenWithinSixLooks() throws Exception {
        DaemonFolders others =
                new DaemonFolders(new PipeDirectory(folder.resolve("other")), folder.resolve("other-log"));
        ProcessBuilder shell = new ProcessBuilder(
                "bash",
                "-c",
                "read -r _; exec -a \"$0\" \"$0\" -f",
                fake.program().path().toString());
        shell.environment().putAll(MpsEnvironment.ofCommand(fake.host(), others));
        Process late = shell.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        MpsProcessScan scan = new MpsProcessScan(HOST, EnvironmentSource.direct(HOST));
        try {
            for (int look = 0; look < 3; look++) {
                assertThat(scan.look().daemons()).extracting(MpsProcess::pid).doesNotContain(late.pid());
            }
            late.outputWriter().write("go\n");
            late.outputWriter().flush();
            await().until(() -> ProcessDetails.of(HOST, late.pid())
                    .flatMap(ProcessDetails::program)
                    .equals(Optional.of("nvidia-cuda-mps-control")));

            boolean seen = false;
            for (int look = 0; look < 6; look++) {
                seen |= scan.look().daemons().stream().anyMatch(one -> one.pid() == late.pid());
            }

            assertThat(seen).isTrue();
        } finally {
            late.destroyForcibly().onExit().join();
        }
    }

    @Test
    void ourOwnDaemonIsNotForeign() {
        assertThat(refreshed().foreign(List.of(ours())))
                .extracting(ForeignMpsDaemon::pid)
                .doesNotContain(daemon.pid());
    }

    @Test
    void aCommandOnItsWayToADaemonIsNone() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(fake.program().path().toString());
        builder.environment()
                .put("CUDA_MPS_PIPE_DIRECTORY", folders.pipe().path().toString());
        Process command = builder.start();
        try {
            // Its input stays open, so it stays.
            await().until(() -> ProcessDetails.of(HOST, command.pid())
                    .flatMap(ProcessDetails::program)
                    .equals(Optional.of("nvidia-cuda-mps-control")));
            assertThat(refreshed().foreign(List.of()))
                    .extracting(ForeignMpsDaemon::pid)
                    .contains(daemon.pid())
                    .doesNotContain(command.pid());
        } finally {
            command.destroyForcibly();
        }
    }

    @Test
    void whoComputesBesideOurServerAndItsClientsIsNamedWithItsMemory() throws Exception {
        FakeClient client = client(Map.of());
        long server = servers().getFirst();
        long stranger = ProcessHandle.current().pid();
        device = Views.device(Views.processes(client.pid()), Views.processes(client.pid(), server, stranger));
        NodeSurroundings surroundings = refreshed();

        List<MpsBypass> bypasses = surroundings.bypasses(List.of(ours()));

        assertThat(bypasses).singleElement().satisfies(bypass -> {
            assertThat(bypass.device()).isEqualTo(Views.GPU);
            assertThat(bypass.pid()).isEqualTo(stranger);
            assertThat(bypass.name()).contains("java");
            assertThat(bypass.memoryBytes()).hasValue(stranger << 20);
            assertThat(bypass.reason())
                    .hasValueSatisfying(reason -> assertThat(reason)
                            .startsWith("CUDA_MPS_PIPE_DIRECTORY is not set in its environment")
                            .endsWith("set it to " + ours().pipe()));
        });
        assertThat(surroundings.limits()).noneMatch(limit -> limit.contains(Views.GPU));
    }

    @Test
    void oneWithAnotherDirectoryThanTheDaemonsIsToldWhich() throws Exception {
        FakeClient client = client(Map.of());
        device = Views.device(Views.processes(), Views.processes(client.pid()));

        assertThat(refreshed().bypasses(List.of(ours())))
                .singleElement()
                .satisfies(bypass -> assertThat(bypass.reason())
                        .hasValueSatisfying(reason -> assertThat(reason)
                                .startsWith("CUDA_MPS_PIPE_DIRECTORY in its environment names another directory")
                                .endsWith("set it to " + ours().pipe())));
    }

    @Test
    void aServerThatStartedSinceTheLastLookIsNotAccused() throws Exception {
        NodeSurroundings surroundings = refreshed();
        FakeClient client = client(Map.of());
        long server = servers().getFirst();
        device = Views.device(Views.processes(client.pid()), Views.processes(client.pid(), server));

        assertThat(surroundings.bypasses(List.of(ours()))).isEmpty();
    }

    @Test
    void whatCannotBeToldIsSaid() {
        NodeSurroundings surroundings = refreshed();
        MpsDaemonView withHiddenClient = Views.daemon(
                MpsState.ACTIVE,
                OptionalLong.of(daemon.pid()),
                List.of(),
                List.of(Views.client(540, Optional.empty(), Optional.empty(), Optional.empty())));

        assertThat(surroundings.bypasses(List.of(withHiddenClient))).isEmpty();
        assertThat(surroundings.limits())
                .anyMatch(limit -> limit.contains("who computes on " + Views.GPU))
                .anyMatch(limit -> limit.contains("environments of clients") && limit.endsWith("(pid 540)"));
    }

    @Test
    void aClientsEnvironmentIsReadForItsLimitsAlone() throws Exception {
        FakeClient client = client(Map.of(
                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT",
                "0=4G,1=4G",
                "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
                "25",
                "TOKEN",
                "x"));
        EnvironmentReader reader = new EnvironmentReader(EnvironmentSource.direct(HOST));

        var own = reader.of(List.of(client.pid()), List.of(Views.GPU)).get(client.pid());

        assertThat(own.share().threads())
                .contains(Views.share("25%", "").threads().orElseThrow());
        assertThat(own.escape())
                .hasValueSatisfying(sentence -> assertThat(sentence).contains("it sees 1"));
        assertThat(EnvironmentSource.direct(HOST)
                        .read(List.of(client.pid()))
                        .get(client.pid())
                        .variables())
                .doesNotContainKey("TOKEN");
        client.process().destroyForcibly().onExit().join();
        assertThat(reader.of(List.of(client.pid()), List.of(Views.GPU))).isEmpty();
    }
}
