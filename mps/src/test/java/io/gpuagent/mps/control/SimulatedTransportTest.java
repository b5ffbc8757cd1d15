// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.sim.ClientProgram;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.sim.SimulatedDaemon;
import io.gpuagent.mps.sim.SimulatedSetup;
import io.gpuagent.mps.sim.SimulatedTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over the simulated daemon in this process, and what only a clock moved by hand can show. */
class SimulatedTransportTest extends ControlContract {
    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final Map<Long, SimulatedClient> programs = new HashMap<>();
    private SimulatedDaemon daemon;
    private long nextPid = 540;

    @BeforeEach
    void start() {
        DaemonFolders folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
        daemon = SimulatedDaemon.start(SimulatedSetup.h200(folders), clock);
    }

    @Override
    ControlClient client(int uid) {
        return ControlClient.open(new SimulatedTransport(() -> daemon, uid, clock), 1, CommandObserver.NONE, clock)
                .orThrow();
    }

    @Override
    long join(Map<String, String> environment) {
        long pid = nextPid++;
        programs.put(pid, daemon.join(ClientProgram.of(pid).withEnvironment(environment)));
        return pid;
    }

    @Override
    void killClient(long pid) {
        daemon.leave(pid);
    }

    @Override
    String got(long pid) {
        SimulatedClient client = programs.get(pid);
        return client.state() + " " + client.multiprocessors() + " "
                + (client.memoryLimit(0).isPresent() ? client.memoryLimit(0).getAsLong() : "unlimited");
    }

    @Override
    void killDaemon() {
        daemon.kill();
    }

    @Test
    void aDaemonThatNeverAnswersIsGivenUpAfterTenSeconds() throws Exception {
        ControlClient client = client(0);
        daemon.script().hang("get_server_list");

        CompletableFuture<Answer<?>> answer = CompletableFuture.supplyAsync(client::servers);
        clock.awaitSleepers(1, Duration.ofSeconds(5));
        clock.advance(Duration.ofSeconds(10));

        assertThat(answer.get().refusal()).contains(Refusal.TIMED_OUT);
    }

    @Test
    void anAnswerThatIsLateButInTimeIsTaken() throws Exception {
        ControlClient client = client(0);
        daemon.script().delay("get_server_list", Duration.ofSeconds(9));

        CompletableFuture<Answer<?>> answer = CompletableFuture.supplyAsync(client::servers);
        clock.awaitSleepers(1, Duration.ofSeconds(5));
        clock.advance(Duration.ofMillis(9_500));

        assertThat(answer.get().value()).isPresent();
    }

    @Test
    void quitWaitsForItsClientsUntilTheGraceIsOver() throws Exception {
        ControlClient client = client(0);
        long pid = join(Map.of());

        CompletableFuture<Answer<Accepted>> answer =
                CompletableFuture.supplyAsync(() -> client.quit(Duration.ofSeconds(20)));
        clock.awaitSleepers(1, Duration.ofSeconds(5));
        assertThat(got(pid)).startsWith("RUNNING");
        clock.advance(Duration.ofSeconds(20));

        assertThat(answer.get().value()).isPresent();
        assertThat(got(pid)).startsWith("RPC_FAILURE");
    }

    /** As reported of a plain quit: the server "will not shutdown". */
    @Test
    void aQuitThatNeverReturnsIsGivenUpThreeSecondsAfterItsGrace() throws Exception {
        ControlClient client = client(0);
        daemon.script().hang("quit");

        CompletableFuture<Answer<Accepted>> answer =
                CompletableFuture.supplyAsync(() -> client.quit(Duration.ofSeconds(5)));
        clock.awaitSleepers(1, Duration.ofSeconds(5));
        clock.advance(Duration.ofSeconds(8));

        assertThat(answer.get().refusal()).contains(Refusal.TIMED_OUT);
        assertThat(daemon.isAlive()).isTrue();
    }

    @Test
    void oneCommandAtATimeIsSentAndWhoeverIsInterruptedWhileWaitingHasSentNothing() throws Exception {
        ControlClient client = client(0);
        daemon.script().hang("get_server_list");
        CompletableFuture<Answer<?>> first = CompletableFuture.supplyAsync(client::servers);
        clock.awaitSleepers(1, Duration.ofSeconds(5));

        CompletableFuture<Answer<?>> second = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform()
                .start(() -> second.complete(client.defaults().setThreads(ThreadPercentage.parse("10%"))));
        waiting.interrupt();

        assertThat(second.get().refusal()).contains(Refusal.BUSY);
        clock.advance(Duration.ofSeconds(10));
        assertThat(first.get().refusal()).contains(Refusal.TIMED_OUT);
        assertThat(client.defaults().threads().orThrow()).isEqualTo(ThreadPercentage.ALL);
    }
}
