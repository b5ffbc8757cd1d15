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
        });
        assertThat(surroundings.limits()).noneMatch(limit -> limit.contains(Views.GPU));
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
