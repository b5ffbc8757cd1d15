// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.control.CommandObserver;
import io.gpuagent.mps.control.ControlClient;
import io.gpuagent.mps.control.MpsEnvironment;
import io.gpuagent.mps.control.ProcessTransport;
import io.gpuagent.mps.fake.FakeClient;
import io.gpuagent.mps.fake.FakeMps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a daemon, servers and clients that are processes, in the environment that the unit would have. */
class UnitStopIT {
    @TempDir
    Path folder;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private FakeMps fake;
    private DaemonFolders folders;
    private Process daemon;

    @BeforeEach
    void start() throws IOException {
        fake = FakeMps.install(folder.resolve("bin"));
        folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
        daemon = fake.startDaemon(folders, Map.of());
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private UnitStop.Outcome stop(Duration drain, Consumer<String> progress) throws InterruptedException {
        HostView host = fake.host();
        Map<String, String> environment = new HashMap<>(host.environment());
        environment.put("CUDA_MPS_PIPE_DIRECTORY", folders.pipe().path().toString());
        environment.put("CUDA_MPS_LOG_DIRECTORY", folders.log().toString());
        environment.put("MAINPID", Long.toString(daemon.pid()));
        HostView unit = new HostView(host.root(), environment, host.uid());
        return UnitStop.ofEnvironment(unit, SystemClock.INSTANCE, progress).run(UnitStop.mainProcess(unit), drain);
    }

    private FakeClient client() throws IOException {
        FakeClient client = fake.startClient(folders, 0, Map.of());
        client.awaitState("RUNNING");
        return client;
    }

    private ProcessHandle server() {
        long pid = ControlClient.open(
                        new ProcessTransport(
                                fake.program(), MpsEnvironment.ofCommand(fake.host(), folders), SystemClock.INSTANCE),
                        1,
                        CommandObserver.NONE,
                        SystemClock.INSTANCE)
                .orThrow()
                .servers()
                .orThrow()
                .getFirst();
        return ProcessHandle.of(pid).orElseThrow();
    }

    @Test
    void withoutClientsTheDaemonQuitsInOrder() throws Exception {
        assertThat(stop(UnitStop.DRAIN, said::add)).isEqualTo(new UnitStop.Outcome(true, List.of()));

        assertThat(daemon.waitFor()).isZero();
        // As after quit, and not as after a signal.
        assertThat(folders.pipe().file(PipeDirectory.PID_FILE)).doesNotExist();
        assertThat(said).isEmpty();
    }

    @Test
    void clientsMayFinishFirstAndTheServerHasGoneAtTheEnd() throws Exception {
        FakeClient client = client();
        ProcessHandle server = server();

        UnitStop.Outcome outcome = stop(UnitStop.DRAIN, line -> {
            said.add(line);
            client.process().destroy();
        });

        assertThat(outcome).isEqualTo(new UnitStop.Outcome(true, List.of()));
        assertThat(said).containsExactly("waiting for clients to finish, 30 s at most: [" + client.pid() + "]");
        assertThat(daemon.waitFor()).isZero();
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void whoIsLeftAtTheEndOfTheTimeIsNamedAndCutOff() throws Exception {
        FakeClient client = client();
        ProcessHandle server = server();

        UnitStop.Outcome outcome = stop(Duration.ZERO, said::add);

        assertThat(outcome).isEqualTo(new UnitStop.Outcome(true, List.of(client.pid())));
        assertThat(said).singleElement().asString().contains("breaks the clients that are left: [" + client.pid());
        client.awaitState("RPC_FAILURE");
        assertThat(server.isAlive()).isFalse();
    }

    @Test
    void aDaemonThatDiedMeanwhileIsNoFailure() throws Exception {
        daemon.destroyForcibly().waitFor();

        assertThat(stop(UnitStop.DRAIN, said::add)).isEqualTo(new UnitStop.Outcome(true, List.of()));
        assertThat(Files.exists(folders.pipe().file(PipeDirectory.PID_FILE))).isTrue();
    }
}
