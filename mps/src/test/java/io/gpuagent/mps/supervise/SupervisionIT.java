// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.gpuagent.host.HostView;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.fake.FakeClient;
import io.gpuagent.mps.fake.FakeMps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervision over real processes, real kills and real folders. */
class SupervisionIT {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration SEEN = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private FakeMps fake;
    private HostView host;
    private MpsSupervision supervision;

    @BeforeEach
    void open() throws IOException {
        fake = FakeMps.install(folder.resolve("bin"));
        host = fake.host();
        supervision = SupervisingProcess.open(folder, host);
    }

    @AfterEach
    void close() throws ChangeRefused {
        supervision.close();
        if (!supervision.view().daemons().isEmpty()) {
            supervision.stop(SupervisingProcess.ID, StopMode.FORCE, GRACE, _ -> {});
        }
        fake.close();
        assertThat(processes()).isEmpty();
    }

    private DaemonFolders daemonFolders() {
        SupervisionFolders where = SupervisingProcess.folders(folder);
        return DaemonFolders.of(where.runtime(), where.log(), SupervisingProcess.ID);
    }

    /** Daemons and servers of this test that run. */
    private List<Long> processes() {
        ProcTable table = new ProcTable(host);
        return List.of(
                        table.daemonsOf(daemonFolders().pipe()),
                        table.serversOf(daemonFolders().pipe()))
                .stream()
                .flatMap(List::stream)
                .map(process -> process.pid())
                .toList();
    }

    private MpsDaemonView view() {
        return supervision.view().daemons().getFirst();
    }

    private void start() throws ChangeRefused {
        supervision.start(SupervisingProcess.wish(), _ -> {});
        supervision.watch();
    }

    private FakeClient client() throws IOException {
        FakeClient client = fake.startClient(daemonFolders(), host.uid(), Map.of());
        client.awaitState("RUNNING");
        return client;
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }

    /** A supervision in a process of its own. */
    private Process agent(String... options) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SupervisingProcess.class.getName(),
                folder.toString());
        builder.command().addAll(List.of(options));
        builder.environment().clear();
        builder.environment().putAll(host.environment());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return builder.start();
    }

    @Test
    void aDrainWhoseProcessIsKilledGoesOnInTheNextOneAndEndsWithTheClient() throws Exception {
        supervision.start(SupervisingProcess.wish(), _ -> {});
        FakeClient client = client();
        Process draining = agent("drain");
        assertThat(draining.inputReader().readLine()).startsWith("waiting for the clients to end, at most 300 s");

        draining.destroyForcibly().onExit().join();
        supervision.close();
        supervision = SupervisingProcess.open(folder, host);
        supervision.watch();

        assertThat(view().state()).isEqualTo(MpsState.DRAINING);
        client.process().destroy();
        await().atMost(PATIENCE)
                .until(() -> view().state() == MpsState.ABSENT && processes().isEmpty());
    }

    @Test
    void aStuckClientIsAskedThenTerminatedAndKilledOnlyWhenItsServerHasGone() throws Exception {
        start();
        FakeClient stuck = fake.startClient(daemonFolders(), host.uid(), FakeClient.stubborn());
        FakeClient neighbour = client();
        await().atMost(SEEN).until(() -> view().clients().size() == 2);
        List<String> steps = new ArrayList<>();

        supervision.stop(SupervisingProcess.ID, StopMode.FORCE, GRACE, line -> {
            steps.add(line);
            if (line.endsWith("(SIGKILL)")) {
                // Nobody shares a server with it any more.
                assertThat(processes()).isEmpty();
                assertThat(stuck.process().isAlive()).isTrue();
            }
        });

        assertThat(steps)
                .containsExactly(
                        "clients "
                                + Stream.of(stuck.pid(), neighbour.pid())
                                        .sorted()
                                        .toList() + " are asked to end (SIGTERM)",
                        "client " + stuck.pid() + " was terminated",
                        "clients [" + stuck.pid() + "] outlived their server and are killed (SIGKILL)");
        assertThat(stuck.process().onExit().get(1, TimeUnit.SECONDS).exitValue())
                .isEqualTo(128 + 9);
    }

    @Test
    void theNextProcessAdoptsADaemonWhoseSupervisorWasKilledAndKnowsTheLimitsOfItsClients() throws Exception {
        Process agent = agent();
        assertThat(agent.inputReader().readLine()).isEqualTo("watching");
        FakeClient client = client();

        agent.destroyForcibly().onExit().join();
        supervision.close();
        supervision = SupervisingProcess.open(folder, host);
        supervision.watch();

        assertThat(view().state()).isEqualTo(MpsState.ACTIVE);
        assertThat(view().clients())
                .extracting(MpsClientView::pid, MpsClientView::serverShare, MpsClientView::onOldLimits)
                .containsExactly(tuple(client.pid(), Optional.of(SupervisingProcess.SMALL), Optional.of(false)));
        supervision.set(SupervisingProcess.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), _ -> {});
        assertThat(view().clientsOnOldLimits()).isEqualTo(1);
        assertThat(client.state()).isEqualTo("RUNNING 32 8589934592");
    }

    @Test
    void aKilledServerIsSeenAndTheFirstClientOfTheNextOneHasTheLimits() throws Exception {
        start();
        client();
        await().atMost(SEEN).until(() -> view().clients().size() == 1);
        supervision.set(SupervisingProcess.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), _ -> {});

        kill(view().servers().getFirst().pid());

        await().atMost(SEEN)
                .until(() -> view().state() == MpsState.IDLE && view().clients().isEmpty());
        assertThat(client().state()).isEqualTo("RUNNING 66 8589934592");
        await().atMost(SEEN).until(() -> view().state() == MpsState.ACTIVE);
        assertThat(view().counters().serverFailures()).isEqualTo(1);
    }

    @Test
    void aKilledDaemonStartsAgainAndItsFirstClientHasTheLimits() throws Exception {
        start();
        client();
        supervision.set(SupervisingProcess.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), _ -> {});
        long first = view().pid().orElseThrow();

        kill(first);

        await().atMost(SEEN).until(() -> view().pid().isEmpty() || view().pid().getAsLong() != first);
        await().atMost(PATIENCE).until(() -> view().state() == MpsState.IDLE);
        assertThat(client().state()).isEqualTo("RUNNING 66 8589934592");
        assertThat(view().counters().restarts()).isEqualTo(1);
    }

    @Test
    void aDrainIsGivenUpWhileAClientIsBusyAndDoneWhenItHasGone() throws Exception {
        start();
        FakeClient client = client();
        await().atMost(SEEN).until(() -> view().clients().size() == 1);

        assertThatThrownBy(
                        () -> supervision.stop(SupervisingProcess.ID, StopMode.DRAIN, Duration.ofSeconds(1), _ -> {}))
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.IN_USE);
        assertThat(client.state()).startsWith("RUNNING");
        client.process().destroy();
        supervision.stop(SupervisingProcess.ID, StopMode.DRAIN, GRACE, _ -> {});

        assertThat(view().state()).isEqualTo(MpsState.ABSENT);
        assertThat(processes()).isEmpty();
        assertThat(folder.resolve("run/mps/" + SupervisingProcess.ID)).doesNotExist();
    }

    // A public launch script, repository unnamed: a stop hung behind a daemon that would not quit.
    @Test
    void aStopByForceEndsADaemonThatNeverAnswersWithinItsDeadline() throws Exception {
        start();
        client();
        await().atMost(SEEN).until(() -> view().clients().size() == 1);
        fake.set("hang", "");

        long begun = System.nanoTime();
        supervision.stop(SupervisingProcess.ID, StopMode.FORCE, Duration.ofSeconds(10), _ -> {});

        // What waits for its turn before may take a command's deadline of 10 s.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(21));
        assertThat(processes()).isEmpty();
        assertThat(folder.resolve("run/mps/" + SupervisingProcess.ID)).doesNotExist();
    }

    @Test
    void serversThatOutliveTheirDaemonAreToldHoldAStartUpAndEndByForce() throws Exception {
        fake.set("orphans", "true");
        start();
        client();
        await().atMost(SEEN).until(() -> !view().servers().isEmpty());
        long server = view().servers().getFirst().pid();

        kill(view().pid().orElseThrow());

        await().atMost(SEEN).until(() -> view().state() == MpsState.ORPHAN);
        assertThat(view().reasons()).extracting("code").containsExactly("mps_orphan");
        assertThat(view().detail().orElseThrow()).startsWith("its servers [" + server + "] live without it");
        assertThatThrownBy(() -> supervision.start(SupervisingProcess.wish(), _ -> {}))
                .hasMessageContaining("that died live on: [" + server + "]; stop it by force first");
        assertThat(processes()).containsExactly(server);
        supervision.stop(SupervisingProcess.ID, StopMode.FORCE, GRACE, _ -> {});
        assertThat(processes()).isEmpty();
        assertThat(view().state()).isEqualTo(MpsState.ABSENT);
    }

    // k8s-device-plugin #1614: the daemon got its two variables alone, and its servers died with status 1. The
    // stand-in's do
    // so without a PATH.
    @Test
    void aDaemonGetsThePathAndWhatItGetsStandsInItsEnvironmentFile() throws Exception {
        start();

        assertThat(client().state()).startsWith("RUNNING");

        Map<String, String> kept =
                new EnvironmentFile(folder.resolve("state/mps/" + SupervisingProcess.ID + "/environment")).read();
        assertThat(kept).containsEntry("PATH", host.environment().get("PATH"));
        String daemon = Files.readString(Path.of("/proc/" + view().pid().orElseThrow() + "/environ"));
        assertThat(List.of(daemon.split("\0", -1)))
                .containsAll(kept.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
    }

    @Test
    void aDaemonOfSomebodyElseInTheFolderIsLeftAlone() throws Exception {
        supervision.start(SupervisingProcess.wish(), _ -> {});
        supervision.stop(SupervisingProcess.ID, StopMode.REFUSE, GRACE, _ -> {});
        Process stranger = fake.startDaemon(daemonFolders(), Map.of());

        try {
            assertThatThrownBy(() -> supervision.start(SupervisingProcess.wish(), _ -> {}))
                    .isInstanceOf(ChangeRefused.class);
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroyForcibly().onExit().join();
        }
    }
}
