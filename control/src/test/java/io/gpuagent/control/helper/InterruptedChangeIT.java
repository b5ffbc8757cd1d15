// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.control.wire.HelperPort;
import io.gpuagent.control.wire.Message;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.supervise.ComputeModes;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent or the helper ends in the middle of a change; helpers in JVMs of their own, over the real socket. */
class InterruptedChangeIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Request SLOW = new Request.MpsResume("slow");

    @TempDir
    Path folder;

    private PrivilegedSocket socket;
    private HelperPort port;

    @BeforeEach
    void listen() throws IOException {
        socket = PrivilegedSocket.listen(
                folder,
                "priv.sock",
                (Integer) Files.getAttribute(folder, "unix:uid"),
                "0600",
                StagedHelper.command(folder, System.getProperty("user.name")));
        port = new HelperPort(socket.path(), SystemClock.INSTANCE);
    }

    @AfterEach
    void close() {
        socket.helpers().forEach(ProcessHandle::destroyForcibly);
        socket.close();
    }

    private void go() throws IOException {
        Files.writeString(folder.resolve("state/go"), "");
    }

    private void awaitStage(String line) {
        Path stage = folder.resolve("state/stage");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.exists(stage) && Files.readAllLines(stage).contains(line));
    }

    private List<String> phases() throws IOException {
        return AuditLines.read(folder.resolve("log/audit.log")).stream()
                .map(line -> line.get("phase"))
                .toList();
    }

    @Test
    void theHelperTellsOfItsStepsAndLetsTheAgentLetGoFirst() {
        List<String> heard = new ArrayList<>();
        String gpu = "GPU-01234567-89ab-cdef-0123-456789abcdef";

        Answer answer =
                port.perform(new Request.SetComputeMode(gpu, ComputeModes.Mode.EXCLUSIVE_PROCESS), new Caller() {
                    @Override
                    public void begun() {
                        heard.add("begun");
                    }

                    @Override
                    public void progress(String sentence) {
                        heard.add(sentence);
                    }

                    @Override
                    public boolean quiesce(List<String> gpus) {
                        heard.add("quiesce " + gpus);
                        return true;
                    }
                });

        assertThat(answer).isEqualTo(new Answer.Done(new Outcome.Changed("default", "exclusive-process", List.of())));
        assertThat(heard).containsExactly("quiesce [" + gpu + "]", "begun");
    }

    @Test
    void anAgentThatDiesLosesNoChange() throws Exception {
        try (SocketChannel agent = SocketChannel.open(UnixDomainSocketAddress.of(socket.path()))) {
            agent.write(StandardCharsets.UTF_8.encode(new Message.Ask(SLOW).line() + "\n"));
            awaitStage("waiting");
        }
        go();

        awaitStage("resume slow");
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(phases()).containsExactly("begun", "ended"));
    }

    @Test
    void aHelperThatIsToldToEndFinishesItsChange() throws Exception {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> port.perform(SLOW, Caller.silent()));
        awaitStage("waiting");
        ProcessHandle helper = socket.helpers().getFirst();

        helper.destroy();
        go();

        helper.onExit().get(60, TimeUnit.SECONDS);
        answer.get(60, TimeUnit.SECONDS);
        assertThat(phases()).containsExactly("begun", "ended");
    }

    @Test
    void aHelperThatIsKilledLeavesItsBeginningBehindAndNoLock() throws Exception {
        CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> port.perform(SLOW, Caller.silent()));
        awaitStage("waiting");
        Answer meanwhile = port.perform(SLOW, Caller.silent());

        socket.helpers().forEach(ProcessHandle::destroyForcibly);

        assertThat(answer.get(60, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.OUTCOME_UNKNOWN));
        assertThat(meanwhile)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.BUSY));
        assertThat(phases()).containsExactly("begun");
        go();
        assertThat(port.perform(SLOW, Caller.silent())).isInstanceOf(Answer.Done.class);
        assertThat(phases()).containsExactly("begun", "begun", "ended");
    }
}
