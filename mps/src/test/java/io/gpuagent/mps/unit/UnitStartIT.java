// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over a daemon, servers and clients that are processes, in the environment that the unit would have. */
class UnitStartIT {
    // What an H200's 132 multiprocessors and a limit of 8 GiB show as.
    private static final String LIMITED = "RUNNING 132 " + (8L << 30);

    @TempDir
    Path folder;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private FakeMps fake;
    private DaemonFolders folders;

    @BeforeEach
    void install() throws IOException {
        fake = FakeMps.install(folder.resolve("bin"));
        folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private UnitStart.Outcome start(String limits) throws InterruptedException {
        HostView host = fake.host();
        Map<String, String> environment = new HashMap<>(host.environment());
        environment.put("CUDA_MPS_PIPE_DIRECTORY", folders.pipe().path().toString());
        environment.put("CUDA_MPS_LOG_DIRECTORY", folders.log().toString());
        environment.put("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", limits);
        HostView unit = new HostView(host.root(), environment, host.uid());
        return UnitStart.ofEnvironment(unit, SystemClock.INSTANCE, said::add).run();
    }

    @Test
    void theLimitIsSetBeforeAnybodyComesAlsoWhereTheDaemonTakesItsTimeToAnswer() throws Exception {
        CompletableFuture<UnitStart.Outcome> outcome = CompletableFuture.supplyAsync(() -> {
            try {
                return start("0=8192M");
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        fake.set("daemon.start.millis", "300");
        fake.startDaemon(folders, Map.of());

        assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new UnitStart.Outcome(true, List.of()));
        fake.startClient(folders, 0, Map.of()).awaitState(LIMITED);
        assertThat(said).isEmpty();
    }

    @Test
    void whoCameBeforeItIsNamedAndTheNextOneOfTheSameServerIsLimited() throws Exception {
        fake.startDaemon(folders, Map.of());
        FakeClient early = fake.startClient(folders, 0, Map.of());
        early.awaitState("RUNNING 132 unlimited");

        assertThat(start("0=8192M")).isEqualTo(new UnitStart.Outcome(true, List.of(early.pid())));

        assertThat(said)
                .containsExactly("clients came before the limit of memory was set and may have none: [" + early.pid()
                        + "]; restart them");
        fake.startClient(folders, 0, Map.of()).awaitState(LIMITED);
        assertThat(early.state()).isEqualTo("RUNNING 132 unlimited");
    }

    @Test
    void eachDeviceOfAGroupGetsItsLimit() throws Exception {
        fake.startDaemon(folders, Map.of("CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b"));

        assertThat(start("0=8192M,1=8192M").inForce()).isTrue();

        ControlClient client = ControlClient.open(
                        new ProcessTransport(
                                fake.program(), MpsEnvironment.ofCommand(fake.host(), folders), SystemClock.INSTANCE),
                        2,
                        CommandObserver.NONE,
                        SystemClock.INSTANCE)
                .orThrow();
        assertThat(client.defaults().memory(1).orThrow()).contains(PinnedMemoryLimit.parse("8GiB"));
    }

    @Test
    void aLimitThatDoesNotTakeIsTold() throws Exception {
        fake.startDaemon(folders, Map.of());
        fake.set("instead", "get_default_device_pinned_mem_limit");
        fake.set("instead.text", "1M\n");

        assertThat(start("0=8192M").inForce()).isFalse();

        assertThat(said)
                .singleElement()
                .asString()
                .startsWith("the limit of memory is not in force: ")
                .contains("1M");
    }
}
