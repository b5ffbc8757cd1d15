// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.MigRequest;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.direct.ControlFolders;
import io.gpuagent.control.direct.DirectPort;
import io.gpuagent.control.direct.Requester;
import io.gpuagent.control.wire.HelperPort;
import io.gpuagent.control.wire.Message;
import io.gpuagent.control.wire.SocketConnection;
import io.gpuagent.mig.GpuInstance;
import io.gpuagent.mig.Ownership;
import io.gpuagent.mig.apply.MigState;
import io.gpuagent.mig.plan.InstanceRequest;
import io.gpuagent.mig.plan.PinRules;
import io.gpuagent.mig.plan.Plan;
import io.gpuagent.mig.plan.PlanId;
import io.gpuagent.mig.plan.Planner;
import io.gpuagent.mig.plan.Wanted;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The helper or the agent is gone in the middle of a change of six steps, over the real socket and with processes that are
 * really killed; the card lives on in a file.
 */
class KilledLayoutIT {
    private static final int MINUTES = 90;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final boolean ALL = Boolean.getBoolean("gpuagent.exhaustive");
    private static final int STRIDE = ALL ? 1 : 97;
    private static final int FIRST = ALL ? 1 : 40;

    private static final List<String> BEFORE = List.of("1g.18gb@0", "1g.18gb@1", "1g.18gb@5", "1g.18gb@6");
    private static final List<String> WANTED = List.of("3g.71gb@0", "1g.18gb@5", "1g.18gb@6");
    private static final List<InstanceRequest> WISH =
            List.of(InstanceRequest.of("3g.71gb"), InstanceRequest.of("1g.18gb"));

    @TempDir
    Path folder;

    /** One card with its folders: two idle instances of ours, a busy one of ours at 5, somebody else's at 6. */
    private final class Scene implements AutoCloseable {
        private final ControlFolders folders;
        private final SimulatedDriver card;
        private final DirectPort port;
        private final Path here;
        private final int busy;
        private final int foreign;
        private final PrivilegedSocket socket;

        Scene(String name, long cut) throws Exception {
            here = Files.createDirectories(folder.resolve(name));
            folders = new ControlFolders(here.resolve("run"), here.resolve("state"), here.resolve("log"));
            Files.createDirectories(folders.state());
            card = CardHelper.card(folders);
            port = CardHelper.port(
                    folders,
                    new Requester("test", Optional.empty(), Optional.empty()),
                    card,
                    new StandStill(Long.MAX_VALUE, CardHelper.arrived(folders)));
            card.gpu(0).mig().setMode(true);
            int[] ids = {cut(0), cut(1), cut(5)};
            foreign = cut(6);
            for (int id : ids) {
                assertThat(port.perform(new MigRequest.Adopt(gpu(), id), Caller.silent()))
                        .isInstanceOf(Answer.Done.class);
            }
            busy = ids[2];
            card.gpu(0)
                    .start(new SimulatedProcess(
                            SimulatedProcess.FIRST_PID, SimulatedProcess.Kind.COMPUTE, 1 << 20, busy, 0));
            socket = listen("priv.sock", cut);
        }

        private int cut(int start) {
            return card.gpu(0).mig().create("1g.18gb", start, "1g.18gb");
        }

        private PrivilegedSocket listen(String name, long cut) throws Exception {
            return PrivilegedSocket.listen(
                    here, name, (Integer) Files.getAttribute(here, "unix:uid"), "0600", CardHelper.command(here, cut));
        }

        String gpu() {
            return card.gpu(0).uuid();
        }

        MigState state() {
            Answer answer = port.perform(new MigRequest.Read(gpu(), List.of()), Caller.silent());
            assertThat(answer).isInstanceOf(Answer.Done.class);
            return ((Outcome.Mig) ((Answer.Done) answer).outcome()).state();
        }

        MigRequest.Apply apply() throws Exception {
            MigState state = state();
            Plan plan = (Plan) new Planner(PinRules.STANDARD)
                    .plan(
                            state.facts().gpu(),
                            Wanted.resolve(state.facts().gpu().card(), WISH));
            assertThat(plan.steps()).hasSize(6);
            return new MigRequest.Apply(gpu(), PlanId.of(plan), WISH, PinRules.STANDARD, List.of());
        }

        /** Whether the change was begun, as its requester was told: its helper is killed where it stands still. */
        Answer killed() throws Exception {
            HelperPort helper = new HelperPort(socket.path(), SystemClock.INSTANCE);
            MigRequest.Apply apply = apply();
            CompletableFuture<Answer> answer =
                    CompletableFuture.supplyAsync(() -> helper.perform(apply, Caller.silent()));
            Path arrived = CardHelper.arrived(folders);
            Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(arrived) || answer.isDone());
            socket.helpers().forEach(ProcessHandle::destroyForcibly);
            return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }

        Outcome.Changed recovered() throws Exception {
            try (PrivilegedSocket another = listen("priv2.sock", Long.MAX_VALUE)) {
                Answer answer = new HelperPort(another.path(), SystemClock.INSTANCE)
                        .perform(new MigRequest.Recover(gpu()), Caller.silent());
                assertThat(answer).isInstanceOf(Answer.Done.class);
                return (Outcome.Changed) ((Answer.Done) answer).outcome();
            }
        }

        /** One of the two layouts, with what others use untouched; says whether it is the wanted one. */
        boolean isWanted(String when) {
            List<String> now = card.gpu(0).mig().layout();
            assertThat(now).as(when).isIn(BEFORE, WANTED);
            MigState state = state();
            assertThat(state.unfinished()).as(when).isEmpty();
            assertThat(state.facts().gpu().instances())
                    .as(when)
                    .extracting(GpuInstance::id)
                    .contains(busy, foreign);
            assertThat(state.facts().gpu().instances())
                    .as(when)
                    .allSatisfy(instance -> assertThat(instance.ownership())
                            .isEqualTo(instance.id() == foreign ? Ownership.FOREIGN : Ownership.OWN));
            return now.equals(WANTED);
        }

        @Override
        public void close() {
            socket.helpers().forEach(ProcessHandle::destroyForcibly);
            socket.close();
        }
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aHelperThatIsKilledAnywhereLeavesAChangeThatTheNextOneBringsToItsEnd() throws Exception {
        int killed = 0;
        int open = 0;
        int wanted = 0;
        for (long point = FIRST; ; point += STRIDE) {
            try (Scene scene = new Scene("at-" + point, point)) {
                Answer answer = scene.killed();
                if (answer instanceof Answer.Done) {
                    break;
                }
                assertThat(((Answer.Refused) answer).code())
                        .as("killed at %d", point)
                        .isEqualTo(RefusalCode.OUTCOME_UNKNOWN);
                killed++;
                open += scene.state().unfinished().isPresent() ? 1 : 0;
                scene.recovered();
                wanted += scene.isWanted("killed at " + point) ? 1 : 0;
            }
        }
        System.out.printf(
                "%d helpers were killed, in %d a change was open; the end was the wanted layout %d times%n",
                killed, open, wanted);
        assertThat(open).isPositive();
        assertThat(wanted).isBetween(1, killed - 1);
    }

    /** What the kernel does with the connection of an agent that is killed. */
    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void anAgentThatIsGoneAtAnyStepLosesNoChange() throws Exception {
        for (int step = 1; step <= 6; step += ALL ? 1 : 2) {
            String until = step + "/6 ";
            try (Scene scene = new Scene("step-" + step, Long.MAX_VALUE)) {
                leaveAt(scene, until);

                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> scene.socket.helpers().isEmpty());
                assertThat(scene.isWanted("left at " + until)).isTrue();
            }
        }
    }

    private static void leaveAt(Scene scene, String until) throws Exception {
        try (SocketConnection agent = new SocketConnection(
                SocketChannel.open(UnixDomainSocketAddress.of(scene.socket.path())), SystemClock.INSTANCE)) {
            agent.write(new Message.Ask(scene.apply()).line(), PATIENCE);
            while (true) {
                Message said = Message.read(agent.read(1 << 20, PATIENCE).orElseThrow());
                if (said instanceof Message.Quiesce) {
                    agent.write(new Message.Quiesced(true).line(), PATIENCE);
                } else if (said instanceof Message.MayGoOn) {
                    agent.write(new Message.GoOn(true).line(), PATIENCE);
                } else if (said instanceof Message.Progress(var sentence) && sentence.startsWith(until)) {
                    return;
                } else {
                    assertThat(said).isNotInstanceOf(Message.Result.class);
                }
            }
        }
    }

    @Test
    void anAgentThatCallsItOffOverTheSocketHasEverythingBroughtBack() throws Exception {
        try (Scene scene = new Scene("off", Long.MAX_VALUE)) {
            int[] asked = new int[1];

            Answer answer = new HelperPort(scene.socket.path(), SystemClock.INSTANCE)
                    .perform(scene.apply(), new Caller() {
                        @Override
                        public void progress(String sentence) {}

                        @Override
                        public boolean quiesce(List<String> gpus) {
                            return true;
                        }

                        @Override
                        public boolean goOn() {
                            return ++asked[0] < 4;
                        }
                    });

            assertThat(answer)
                    .isEqualTo(new Answer.Refused(
                            RefusalCode.CANCELLED, "the change was cancelled; all is as it was before"));
            assertThat(scene.isWanted("called off")).isFalse();
        }
    }
}
