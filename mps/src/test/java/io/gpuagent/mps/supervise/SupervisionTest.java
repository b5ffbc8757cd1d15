// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsDaemonView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.sim.SimulatedClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervision of a simulated daemon, a second at a time. */
class SupervisionTest {
    private static final Duration GRACE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    @Test
    void aDaemonThatWasStartedIsIdleAndHasItsShareReadBack() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);

        MpsDaemonView view = node.view();
        assertThat(view.state()).isEqualTo(MpsState.IDLE);
        assertThat(view.inForce().orElseThrow().threads()).contains(ThreadPercentage.parse("25"));
        assertThat(view.inForce().orElseThrow().memory()).contains(PinnedMemoryLimit.parse("8GiB"));
        assertThat(node.progress).anyMatch(line -> line.startsWith("single-user: one server at a time"));
    }

    @Test
    void theFirstClientOfAllHasTheShare() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);

        SimulatedClient client = node.join(0);

        assertThat(client.multiprocessors()).isEqualTo(32);
        assertThat(client.memoryLimit(0)).hasValue(8L << 30);
    }

    @Test
    void aClientIsShownWithWhatItCameUnder() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient old = node.join(0);
        node.quietSecond();

        node.supervision.set(
                SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), node.progress::add);
        node.quietSecond();
        SimulatedClient fresh = node.join(0);
        node.quietSecond();

        List<MpsClientView> clients = node.view().clients();
        assertThat(clients)
                .extracting(
                        MpsClientView::pid,
                        MpsClientView::onOldLimits,
                        one -> one.multiprocessors().orElse(-1))
                .containsExactly(
                        tuple(old.program().pid(), Optional.of(true), 32),
                        tuple(fresh.program().pid(), Optional.of(false), 66));
        assertThat(fresh.multiprocessors()).isEqualTo(66);
        assertThat(fresh.memoryLimit(0)).hasValue(8L << 30);
        assertThat(node.view().clientsOnOldLimits()).isEqualTo(1);
        assertThat(node.supervision.view().loads().getFirst().multiprocessorRatio())
                .hasValue(98 / 132.0);
    }

    @Test
    void limitsOfClientsAreKnownToTheNextProcess() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient old = node.join(0);
        node.quietSecond();
        node.supervision.set(
                SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")), node.progress::add);
        node.quietSecond();
        node.join(0);
        node.quietSecond();
        List<MpsClientView> before = node.view().clients();

        node.restart();

        assertThat(node.view().clients())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("name")
                .isEqualTo(before);
        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
        assertThat(old.state()).isEqualTo(SimulatedClient.State.RUNNING);
    }

    @Test
    void theEffectOfASetNamesAClientThatHasComeSinceTheLastLook() throws ChangeRefused {
        node.start(Share.UNLIMITED);
        node.quietSecond();
        SimulatedClient client = node.join(0);

        Effect effect =
                node.supervision.planSet(SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("60")));

        assertThat(effect.staying())
                .extracting(MpsClientView::pid)
                .containsExactly(client.program().pid());
    }

    @Test
    void theEffectOfASetNamesThoseWhoStay() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.quietSecond();

        Effect effect =
                node.supervision.planSet(SimulatedNode.ID, Share.UNLIMITED.withThreads(ThreadPercentage.parse("60")));

        assertThat(effect.reach()).isEqualTo(Effect.Reach.NEW_CLIENTS);
        assertThat(effect.staying())
                .extracting(MpsClientView::pid)
                .containsExactly(client.program().pid());
        assertThat(effect.sentence())
                .isEqualTo("clients that connect from now on get 60% of the multiprocessors, 8GiB of memory (78 of 132"
                        + " multiprocessors); 1 running client stays on the limits from before until started again: "
                        + client.program().pid() + " python3");
    }

    @Test
    void aSetReachesTheServerAfterACrashToo() throws ChangeRefused {
        node.start(Share.UNLIMITED);
        node.join(0);
        node.quietSecond();
        node.supervision.set(SimulatedNode.ID, SimulatedNode.SMALL, node.progress::add);

        node.machine.kill(node.daemon().serverPids().getFirst());
        SimulatedClient first = node.join(0);

        assertThat(first.multiprocessors()).isEqualTo(32);
        assertThat(first.memoryLimit(0)).hasValue(8L << 30);
    }

    @Test
    void aDaemonThatDiedStartsAgainWithTheNewestShare() throws ChangeRefused {
        node.start(Share.UNLIMITED);
        node.supervision.set(SimulatedNode.ID, SimulatedNode.SMALL, node.progress::add);

        node.machine.kill(node.view().pid().orElseThrow());
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.STARTING);
        node.pass(Duration.ofSeconds(2));

        assertThat(node.view().state()).isEqualTo(MpsState.IDLE);
        assertThat(node.view().counters().restarts()).isEqualTo(1);
        assertThat(node.join(0).multiprocessors()).isEqualTo(32);
    }

    @Test
    void aDaemonThatDiesFiveTimesIsGivenUpUntilSomebodyAsks() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        int deaths = 0;
        for (int second = 0; second < 120 && node.view().state() != MpsState.CRASHLOOP; second++) {
            if (node.machine.daemon(node.daemonFolders()).isPresent()) {
                node.machine.kill(node.view().pid().orElseThrow());
                deaths++;
            }
            node.quietSecond();
        }

        assertThat(deaths).isEqualTo(5);
        assertThat(node.view().reasons()).extracting("code").containsExactly("mps_crash_loop");
        node.pass(Duration.ofMinutes(3));
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
        node.restart();
        node.pass(Duration.ofMinutes(3));
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();

        node.supervision.resume(SimulatedNode.ID, node.progress::add);
        assertThat(node.view().state()).isEqualTo(MpsState.IDLE);
    }

    // k8s-device-plugin #762: servers of a client that was not root died every 50 ms, and nobody said so.
    @Test
    void serversThatFailAgainAndAgainAreACrashLoopWithTheServersOwnWords() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.daemon().everyServerExitsWith(1, "invalid argument");

        node.join(1000);
        for (int i = 0; i < 20; i++) {
            node.clock.advance(Duration.ofMillis(60));
            node.machine.tick();
        }
        node.quietSecond();

        assertThat(node.view().state()).isEqualTo(MpsState.CRASHLOOP);
        assertThat(node.view().detail().orElseThrow()).endsWith("the last one said: invalid argument");
        assertThat(node.view().counters().serverFailures()).isGreaterThan(10);
    }

    // k8s-device-plugin #679: clients of user 1000 hung behind those of user 0.
    @Test
    void aUserWhoWaitsBehindAnotherOneIsToldOfWithWhatHelps() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        SimulatedClient waiting = node.join(1000);
        node.quietSecond();
        assertThat(node.view().pending()).extracting("uid").containsExactly(1000L);
        assertThat(node.view().reasons()).isEmpty();

        node.pass(Duration.ofSeconds(11));

        assertThat(waiting.state()).isEqualTo(SimulatedClient.State.PENDING);
        assertThat(node.view().reasons()).extracting("code").containsExactly("mps_pending_user");
        assertThat(node.view().reasons().getFirst().sentence())
                .startsWith("client " + waiting.program().pid() + " of user 1000 waits since ")
                .endsWith("behind user 0, whose clients must end first; to serve all users at once, start the daemon in"
                        + " multi-user mode");
    }

    @Test
    void aFaultLastsUntilTheAffectedClientsHaveEnded() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient one = node.join(0);
        SimulatedClient two = node.join(0);
        node.quietSecond();

        node.daemon().fault(0);
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.FAULT);
        node.quietSecond();
        node.machine.leave(one.program().pid());
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.FAULT);
        assertThat(node.view().detail().orElseThrow())
                .endsWith("[" + two.program().pid() + "]");
        node.machine.leave(two.program().pid());
        node.quietSecond();

        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
        assertThat(node.view().counters().faults()).isEqualTo(1);
    }

    /** Found by a random history: the list of a fault ends behind the end of its server, and brought it back to life. */
    @Test
    void aServerThatIsKilledInTheMiddleOfAFaultHasFailedOnce() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();

        node.daemon().fault(0);
        node.machine.kill(node.daemon().serverPids().getFirst());
        node.pass(Duration.ofSeconds(3));

        assertThat(node.view().servers()).isEmpty();
        assertThat(node.view().state()).isEqualTo(MpsState.IDLE);
        assertThat(node.view().counters().serverFailures()).isEqualTo(1);
    }

    @Test
    void aDaemonWithClientsIsNotStoppedAndDrainedWhenTheyHaveGone() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);

        assertThatThrownBy(() -> node.supervision.stop(SimulatedNode.ID, StopMode.REFUSE, GRACE, node.progress::add))
                .hasMessage("the MPS daemon gpu-00000000 has the clients ["
                        + client.program().pid() + "]: end them, or stop it with drain or force")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.IN_USE);
        assertThat(client.state()).isEqualTo(SimulatedClient.State.RUNNING);
        node.machine.leave(client.program().pid());
        Change change = node.supervision.stop(SimulatedNode.ID, StopMode.DRAIN, GRACE, node.progress::add);

        assertThat(change.after()).isEqualTo("absent");
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
        assertThat(folder.resolve("run/mps/" + SimulatedNode.ID)).doesNotExist();
    }

    // dra-driver-nvidia-gpu #106: what failed at the start could not be removed later.
    @Test
    void aStopOfADaemonThatDoesNotRunChangesNothing() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.supervision.stop(SimulatedNode.ID, StopMode.REFUSE, GRACE, node.progress::add);

        Change again = node.supervision.stop(SimulatedNode.ID, StopMode.REFUSE, GRACE, node.progress::add);

        assertThat(again.lines()).containsExactly("it did not run");
        node.pass(Duration.ofMinutes(2));
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
    }

    // dra-driver-nvidia-gpu #1262, PR #1270: a GPU was left in EXCLUSIVE_PROCESS.
    @Test
    void theComputeModeOfBeforeComesBackAfterACrashOfAllToo() throws ChangeRefused {
        node.modes.put(SimulatedNode.UUID, ComputeModes.Mode.DEFAULT);
        node.supervision.start(
                new DaemonWish(SimulatedNode.ID, List.of(SimulatedNode.UUID), SimulatedNode.SMALL, false, true),
                node.progress::add);
        assertThat(node.modes).containsEntry(SimulatedNode.UUID, ComputeModes.Mode.EXCLUSIVE_PROCESS);
        DaemonStore store = new DaemonStore(node.folders);
        DaemonRecord record = store.read(SimulatedNode.ID).orElseThrow();
        assertThat(record.priorModes()).isEqualTo(Map.of(SimulatedNode.UUID, ComputeModes.Mode.DEFAULT));

        // The agent dies in the middle of a stop: the daemon has gone, the mode has not been put back.
        store.write(record.withRun(DaemonRecord.Run.STOPPED));
        node.machine.kill(node.view().pid().orElseThrow());
        node.restart();

        assertThat(node.modes).containsEntry(SimulatedNode.UUID, ComputeModes.Mode.DEFAULT);
    }

    @Test
    void aStepThatFailsPutsTheFormerValuesBack() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();
        long server = node.daemon().serverPids().getFirst();
        node.daemon().script().instead("set_active_thread_percentage " + server + " 50", "25.0\n", 0);

        assertThatThrownBy(() -> node.supervision.set(
                        SimulatedNode.ID,
                        Share.UNLIMITED.withThreads(ThreadPercentage.parse("50")),
                        node.progress::add))
                .hasMessageEndingWith("; the former values are in force again")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.FAILED);

        assertThat(node.join(0).multiprocessors()).isEqualTo(32);
        assertThat(node.daemon()
                        .answer("get_default_active_thread_percentage\n", 0)
                        .join()
                        .text())
                .isEqualTo("25.0\n");
        assertThat(DaemonPlace.of(node.folders, SimulatedNode.ID).environment().read())
                .containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25");
    }

    @Test
    void badWishesAreRefusedBeforeAnythingIsMade() {
        SimulatedNode small = node;
        assertRefused(new DaemonWish("Bad/Id", List.of(SimulatedNode.UUID), Share.UNLIMITED, false, false), "is no id");
        assertRefused(new DaemonWish("a", List.of("abc"), Share.UNLIMITED, false, false), "is no UUID");
        assertRefused(
                new DaemonWish("a", List.of("GPU-00000000-0000-0000-0000-00000000000f"), Share.UNLIMITED, false, false),
                "there is no device");
        assertRefused(
                new DaemonWish(
                        "a",
                        List.of(SimulatedNode.UUID),
                        Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("1T")),
                        false,
                        false),
                "a memory limit of 1024GiB is more than the device");
        assertRefused(
                new DaemonWish(
                        "a",
                        List.of(SimulatedNode.UUID),
                        Share.UNLIMITED.withThreads(ThreadPercentage.parse("0.5")),
                        false,
                        false),
                "less than one pair");
        SimulatedNode deep = new SimulatedNode(folder.resolve("d".repeat(85)));
        assertThatThrownBy(() -> deep.supervision.start(SimulatedNode.wish(Share.UNLIMITED), _ -> {}))
                .hasMessageContaining("bytes long: it may have 85 at most");
        assertThat(folder).isEmptyDirectory();
        assertThat(small.progress).isEmpty();
    }

    // k8s-device-plugin #685
    @Test
    void aGpuWhoseClientsCannotBeLimitedGetsNoDaemon() {
        node.gpus = _ -> Optional.of(new GpuUse.Device(
                Optional.of("6.1"),
                OptionalInt.of(20),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        node.restart();

        assertThatThrownBy(() -> node.supervision.start(SimulatedNode.wish(Share.UNLIMITED), node.progress::add))
                .hasMessageContaining("has compute capability 6.1, and the limits of MPS need 7.0 or higher")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.NOT_SUPPORTED);
        assertThat(folder).isEmptyDirectory();
    }

    private void assertRefused(DaemonWish wish, String why) {
        assertThatThrownBy(() -> node.supervision.start(wish, node.progress::add))
                .isInstanceOf(ChangeRefused.class)
                .hasMessageContaining(why);
    }

    // k8s-device-plugin #2056, PR #1787: daemons overlapped on the same GPUs.
    @Test
    void aGpuIsInOneDaemonOnly() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);

        assertThatThrownBy(() -> node.supervision.start(
                        new DaemonWish(
                                "pair",
                                List.of(SimulatedNode.OTHER, SimulatedNode.UUID),
                                SimulatedNode.SMALL,
                                false,
                                false),
                        node.progress::add))
                .hasMessageContaining("has the MPS daemon gpu-00000000 already")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.IN_USE);
    }

    @Test
    void aStartIsNoWayToChangeADaemonThatRunsAndThePlanSaysSo() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();

        assertThatThrownBy(() -> node.supervision.planStart(SimulatedNode.wish(Share.UNLIMITED)))
                .hasMessageContaining("runs with other settings: set its share, or stop it first");
        assertThat(node.supervision
                        .planStart(SimulatedNode.wish(SimulatedNode.SMALL))
                        .sentence())
                .isEqualTo("it runs already, with these settings");
    }

    // Captured on an H200: terminate_client answered 0 and ended the busy neighbour, too.
    @Test
    void terminatingAClientNamesTheNeighboursFirst() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient victim = node.join(0);
        SimulatedClient neighbour = node.join(0);
        node.quietSecond();

        Effect effect = node.supervision.planTerminate(
                SimulatedNode.ID, victim.program().pid());
        assertThat(effect.breaking())
                .extracting(MpsClientView::pid)
                .containsExactly(victim.program().pid(), neighbour.program().pid());
        node.supervision.terminateClient(SimulatedNode.ID, victim.program().pid(), node.progress::add);

        assertThat(victim.state()).isEqualTo(SimulatedClient.State.TERMINATED);
        assertThat(neighbour.state()).isEqualTo(SimulatedClient.State.RUNNING);
    }
}
