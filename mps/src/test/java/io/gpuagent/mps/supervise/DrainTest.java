// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.Share;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.sim.SimulatedClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A daemon that is stopped when its clients have gone: whoever waits for that may die, and it may be called off. */
class DrainTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    private static final Duration LONG = Duration.ofMinutes(10);

    /** What a process leaves behind that dies while it waits. */
    private void anotherProcessDiesInADrain(Duration until) {
        DaemonStore store = new DaemonStore(node.folders);
        DaemonRecord record = store.read(SimulatedNode.ID).orElseThrow();
        store.write(record.withDrain(
                Optional.of(new Drain(node.clock.now().plus(until), new ProcessIdentity(4_000_000, 1)))));
        node.restart();
    }

    /** Waits for the clients on a thread of its own, for which somebody has to let time pass. */
    private CompletableFuture<Throwable> drain() {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        NodeSupervision supervision = node.supervision;
        Thread.ofPlatform().daemon().start(() -> {
            try {
                supervision.stop(SimulatedNode.ID, StopMode.DRAIN, LONG, node.progress::add);
                ended.complete(null);
            } catch (ChangeRefused | RuntimeException e) {
                ended.complete(e);
            }
        });
        while (node.view().drainingUntil().isEmpty()) {
            Thread.onSpinWait();
        }
        return ended;
    }

    private void untilDone(CompletableFuture<Throwable> drain) {
        while (!drain.isDone()) {
            node.clock.advance(Duration.ofMillis(50));
            node.machine.tick();
            Thread.onSpinWait();
        }
    }

    @Test
    void adoptedByTheNextProcessItGoesOnUntilTheLastClientHasGone() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.quietSecond();

        anotherProcessDiesInADrain(LONG);
        node.quietSecond();

        assertThat(node.view().state()).isEqualTo(MpsState.DRAINING);
        assertThat(node.view().drainingUntil()).isPresent();
        assertThat(client.state()).isEqualTo(SimulatedClient.State.RUNNING);
        node.machine.leave(client.program().pid());
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
        assertThat(node.view().drainingUntil()).isEmpty();
        node.pass(Duration.ofMinutes(2));
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
    }

    @Test
    void pastItsTimeTheDaemonGoesOn() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.quietSecond();

        anotherProcessDiesInADrain(Duration.ofSeconds(30));
        node.pass(Duration.ofSeconds(31));

        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
        assertThat(node.view().drainingUntil()).isEmpty();
        node.machine.leave(client.program().pid());
        node.quietSecond();
        assertThat(node.machine.daemon(node.daemonFolders())).isPresent();
    }

    @Test
    void aDaemonThatDiesInADrainIsNotStartedAgain() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();
        anotherProcessDiesInADrain(LONG);
        node.quietSecond();

        node.machine.kill(node.view().pid().orElseThrow());
        node.pass(Duration.ofMinutes(2));

        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
        assertThat(node.machine.daemon(node.daemonFolders())).isEmpty();
    }

    @Test
    void calledOffItRefusesTheStopAndLeavesAllAsItWas() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient client = node.join(0);
        node.quietSecond();
        CompletableFuture<Throwable> drain = drain();
        assertThat(node.view().state()).isEqualTo(MpsState.DRAINING);
        assertThat(node.view().detail().orElseThrow())
                .isEqualTo("it is stopped when its clients have ended: "
                        + client.program().pid() + "; starting it calls that off");

        Change off = node.supervision.callOffDrain(SimulatedNode.ID, node.progress::add);

        assertThat(off.before()).isEqualTo("draining");
        assertThat(off.after()).isEqualTo("active");
        untilDone(drain);
        assertThat(drain.join()).hasMessage("the drain of the MPS daemon gpu-00000000 was called off: it goes on");
        node.machine.leave(client.program().pid());
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.ACTIVE);
        assertThatThrownBy(() -> node.supervision.callOffDrain(SimulatedNode.ID, node.progress::add))
                .hasMessage("there is no drain of the MPS daemon gpu-00000000 to call off")
                .extracting("kind")
                .isEqualTo(ChangeRefused.Kind.NOT_FOUND);
    }

    /** No command keeps new clients out for a while: quit does, and cannot be taken back (captured on an H200). */
    @Test
    void whoComesMeanwhileIsLetInAndWaitedFor() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient first = node.join(0);
        node.quietSecond();
        CompletableFuture<Throwable> drain = drain();
        assertThat(node.progress).anyMatch(line -> line.contains("new ones are not kept out"));

        SimulatedClient second = node.join(0);
        node.quietSecond();
        node.machine.leave(first.program().pid());
        node.quietSecond();

        assertThat(second.state()).isEqualTo(SimulatedClient.State.RUNNING);
        assertThat(drain).isNotDone();
        node.machine.leave(second.program().pid());
        untilDone(drain);
        assertThat(drain.join()).isNull();
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
    }

    @Test
    void aStartOfADaemonThatIsDrainedCallsItOffAndThePlanSaysSo() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();
        anotherProcessDiesInADrain(LONG);
        assertThat(node.supervision
                        .planStart(SimulatedNode.wish(SimulatedNode.SMALL))
                        .sentence())
                .startsWith("its drain is called off");

        Change change = node.supervision.start(SimulatedNode.wish(SimulatedNode.SMALL), node.progress::add);

        assertThat(change.lines()).containsExactly("its drain is called off: it goes on, and so do its clients");
        assertThat(node.view().drainingUntil()).isEmpty();
        assertThatThrownBy(() -> node.supervision.start(SimulatedNode.wish(Share.UNLIMITED), node.progress::add))
                .hasMessageContaining("runs with other settings");
    }
}
