// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.direct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.host.HostView;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.supervise.ComputeModes;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.MpsSupervision;
import io.gpuagent.mps.supervise.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectPortTest {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final Request.MpsStart START =
            new Request.MpsStart(new DaemonWish("pair", List.of(GPU), Share.UNLIMITED, false, false));
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final RecordedDaemons daemons = new RecordedDaemons();
    private final RecordedModes modes = new RecordedModes();
    private ControlFolders folders;
    private DirectPort port;

    @BeforeEach
    void aPortOfThisUser() {
        folders = new ControlFolders(folder.resolve("run"), folder.resolve("state"), folder.resolve("log"));
        port = port(daemons);
    }

    private DirectPort port(MpsSupervision of) {
        Requester requester = new Requester("gpu-agent", Optional.of(997L), Optional.of(4711L));
        return new DirectPort(HostView.real(), folders, () -> of, modes, NoLayouts.HERE, requester, clock);
    }

    private List<Map<String, String>> audit() throws IOException {
        return AuditLines.read(folders.auditLog());
    }

    @Test
    void aChangeIsWrittenDownBeforeAndAfterItIsMade() throws Exception {
        List<String> steps = new ArrayList<>();

        Answer answer = port.perform(START, listening(steps));

        assertThat(answer).isEqualTo(new Answer.Done(new Outcome.Changed("absent", "idle", List.of())));
        assertThat(steps).containsExactly("begun", "start is under way");
        assertThat(audit())
                .extracting(line -> line.get("phase"), line -> line.get("result"), line -> line.get("after"))
                .containsExactly(tuple("begun", null, null), tuple("ended", "done", "idle"));
        assertThat(audit().getFirst())
                .containsEntry("time", "2026-12-01T00:00:00Z")
                .containsEntry("user", "gpu-agent")
                .containsEntry("uid", "997")
                .containsEntry("pid", "4711")
                .containsEntry("verb", "mps-start")
                .containsEntry("id", "pair");
    }

    @Test
    void aChangeThatFailsHalfwaySaysSoInAnswerAndAudit() throws Exception {
        Answer answer = port.perform(
                new Request.MpsSet("pair", Share.UNLIMITED.withThreads(ThreadPercentage.parse("25"))), Caller.silent());

        assertThat(answer)
                .isEqualTo(new Answer.Refused(RefusalCode.HALF_DONE, "server 17 took the share and server 18 did not"));
        assertThat(audit().getLast()).containsEntry("code", "half_done").containsEntry("threads", "25");
    }

    @Test
    void aFaultOfTheAgentItselfLeavesNothingUnsaid() throws Exception {
        Answer answer = port.perform(new Request.MpsResume("pair"), Caller.silent());

        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.OUTCOME_UNKNOWN);
            assertThat(refused.sentence()).contains("look at the state before asking again");
        });
        assertThat(audit().getLast()).containsEntry("phase", "ended").containsEntry("code", "outcome_unknown");
    }

    @Test
    void aDrainIsCalledOffWhileItsStopWaits() throws Exception {
        port.perform(START, Caller.silent());
        CountDownLatch gate = daemons.hold();
        CompletableFuture<Answer> stop = CompletableFuture.supplyAsync(() ->
                port.perform(new Request.MpsStop("pair", StopMode.DRAIN, Duration.ofMinutes(5)), Caller.silent()));
        while (!daemons.calls().contains("stop")) {
            Thread.onSpinWait();
        }

        Answer off = port(daemons).perform(new Request.MpsCallOffDrain("pair"), Caller.silent());
        gate.countDown();

        assertThat(off).isEqualTo(new Answer.Done(new Outcome.Changed("draining", "active", List.of())));
        assertThat(stop.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
    }

    @Test
    void aChangeInFlightIsNeverDoubledWhoeverAsks() throws Exception {
        CountDownLatch gate = daemons.hold();
        CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() -> port.perform(START, Caller.silent()));
        assertThat(daemons.reached().await(30, TimeUnit.SECONDS)).isTrue();

        Answer sameDaemon =
                port(daemons).perform(new Request.MpsStop("pair", StopMode.FORCE, Duration.ZERO), Caller.silent());
        Answer sameGpu = port(daemons)
                .perform(new Request.SetComputeMode(GPU, ComputeModes.Mode.EXCLUSIVE_PROCESS), Caller.silent());
        RecordedDaemons others = new RecordedDaemons();
        Answer otherDaemon = port(others).perform(new Request.MpsTerminateClient("other", 4711), Caller.silent());
        gate.countDown();

        String here = " is in flight in process " + ProcessHandle.current().pid() + "; wait for its end";
        assertThat(sameDaemon).isEqualTo(new Answer.Refused(RefusalCode.BUSY, "another change to pair" + here));
        assertThat(sameGpu).isEqualTo(new Answer.Refused(RefusalCode.BUSY, "another change to " + GPU + here));
        assertThat(otherDaemon).isInstanceOf(Answer.Done.class);
        assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
        assertThat(daemons.calls()).containsExactly("start");
        assertThat(port.perform(new Request.MpsStop("pair", StopMode.FORCE, Duration.ZERO), Caller.silent()))
                .isInstanceOf(Answer.Done.class);
    }

    @Test
    void aChangeThatOutlastsItsDeadlineKeepsItsLocksUntilItComesBack() throws Exception {
        CountDownLatch gate = daemons.hold();
        CompletableFuture<Answer> late = CompletableFuture.supplyAsync(() -> port.perform(START, Caller.silent()));
        assertThat(daemons.reached().await(30, TimeUnit.SECONDS)).isTrue();
        clock.awaitSleepers(1, PATIENCE);
        clock.advance(START.deadline());

        assertThat(late.get(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.OUTCOME_UNKNOWN);
            assertThat(refused.sentence()).startsWith("mps-start has not come back within 90 s; it goes on");
        });
        assertThat(port.perform(START, Caller.silent()))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.BUSY));

        gate.countDown();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(audit())
                        .extracting(line -> line.get("phase"))
                        .containsExactly("begun", "late", "ended"));
        Awaitility.await().atMost(PATIENCE).until(() -> port.perform(START, Caller.silent()) instanceof Answer.Done);
    }

    @Test
    void whatCannotBeWrittenDownIsNotDone() throws Exception {
        Files.createDirectories(folders.auditLog());

        Answer answer = port.perform(START, Caller.silent());

        assertThat(answer).isInstanceOfSatisfying(Answer.Refused.class, refused -> {
            assertThat(refused.code()).isEqualTo(RefusalCode.NOT_RECORDED);
            assertThat(refused.sentence()).contains("cannot be written, so nothing is changed");
        });
        assertThat(daemons.calls()).isEmpty();
    }

    @Test
    void aFolderThatOthersCouldSwapIsNotWrittenTo() throws Exception {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        folders = new ControlFolders(open.resolve("run"), folder.resolve("state"), folder.resolve("log"));

        Answer answer = port(daemons).perform(START, Caller.silent());

        assertThat(answer)
                .isEqualTo(new Answer.Refused(
                        RefusalCode.UNSAFE_FOLDER,
                        "cannot use " + open + ": other users may write to it and it is not sticky; run chmod go-w or"
                                + " chmod +t on it"));
        assertThat(daemons.calls()).isEmpty();
    }

    @Test
    void aLinkInPlaceOfTheLogIsNotFollowed() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "");
        Files.createDirectories(folders.logs());
        Files.createSymbolicLink(folders.auditLog(), victim);

        Answer answer = port.perform(START, Caller.silent());

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_RECORDED));
        assertThat(victim).isEmptyFile();
        assertThat(daemons.calls()).isEmpty();
    }

    @Test
    void aGpuIsLeftAloneThatTheAgentDoesNotLetGoOf() throws Exception {
        Caller holding = new Caller() {
            @Override
            public void progress(String sentence) {}

            @Override
            public boolean quiesce(List<String> gpus) {
                return false;
            }
        };

        Answer answer = port.perform(new Request.SetComputeMode(GPU, ComputeModes.Mode.PROHIBITED), holding);

        assertThat(answer)
                .isEqualTo(new Answer.Refused(
                        RefusalCode.NOT_QUIESCED,
                        "the agent did not let go of " + GPU
                                + "; a GPU whose driver call does not return is left alone"));
        assertThat(modes.read(GPU)).isEqualTo(ComputeModes.Mode.DEFAULT);
        assertThat(audit().getLast()).containsEntry("code", "not_quiesced");
        assertThat(port.perform(new Request.SetComputeMode(GPU, ComputeModes.Mode.PROHIBITED), Caller.silent()))
                .isEqualTo(new Answer.Done(new Outcome.Changed("default", "prohibited", List.of())));
    }

    @Test
    void aReadIsNoChangeAndLeavesNoTrace() throws Exception {
        long self = ProcessHandle.current().pid();

        Answer answer = port.perform(new Request.ReadEnvironments(List.of(self)), Caller.silent());

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Done.class,
                        done -> assertThat(done.outcome())
                                .isInstanceOfSatisfying(
                                        Outcome.Environments.class,
                                        all -> assertThat(all.processes())
                                                .singleElement()
                                                .satisfies(one -> assertThat(
                                                                one.process().pid())
                                                        .isEqualTo(self))));
        assertThat(audit()).isEmpty();
    }

    private static Caller listening(List<String> steps) {
        return new Caller() {
            @Override
            public void begun() {
                steps.add("begun");
            }

            @Override
            public void progress(String sentence) {
                steps.add(sentence);
            }

            @Override
            public boolean quiesce(List<String> gpus) {
                steps.add("quiesce");
                return true;
            }
        };
    }
}
