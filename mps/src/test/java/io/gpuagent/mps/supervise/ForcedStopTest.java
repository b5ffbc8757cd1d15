// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.model.mps.MpsState;
import io.gpuagent.mps.sim.SimulatedClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of clients when their daemon is stopped by force: asked first, killed last. sgl-project/sglang-omni PR 1635:
 * the SIGKILL of one client of a shared server damaged the others. */
class ForcedStopTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    private Duration stop(Duration deadline) throws Exception {
        Instant begun = node.clock.now();
        node.whileTimePasses(
                () -> node.supervision.stop(SimulatedNode.ID, StopMode.FORCE, deadline, node.progress::add));
        return Duration.between(begun, node.clock.now());
    }

    @Test
    void clientsThatFollowSigtermAreNeitherTerminatedNorKilled() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient one = node.join(0);
        SimulatedClient two = node.join(0);
        node.quietSecond();
        assertThat(node.supervision.planStop(SimulatedNode.ID, StopMode.FORCE).breaking())
                .extracting(MpsClientView::pid)
                .containsExactly(one.program().pid(), two.program().pid());

        stop(Duration.ZERO);

        assertThat(node.signals.sent())
                .extracting(RecordedSignals.Sent::pid, RecordedSignals.Sent::forcibly)
                .containsExactly(
                        tuple(one.program().pid(), false), tuple(two.program().pid(), false));
        assertThat(node.commands("terminate_client")).isEmpty();
        assertThat(node.commands("quit")).hasSize(1);
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
    }

    @Test
    void aStuckClientIsAskedThenTerminatedAndKilledOnlyWhenItsServerHasGone() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient stuck = node.join(0);
        long pid = stuck.program().pid();
        node.machine.ignoreTerm(pid);
        node.quietSecond();
        long server = node.daemon().serverPids().getFirst();

        Duration took = stop(Duration.ofSeconds(20));

        // Each line is said when its step is done.
        assertThat(node.progress.subList(
                        node.progress.indexOf("clients [" + pid + "] are asked to end (SIGTERM)"),
                        node.progress.size()))
                .containsExactly(
                        "clients [" + pid + "] are asked to end (SIGTERM)",
                        "client " + pid + " was terminated",
                        "clients [" + pid + "] outlived their server and are killed (SIGKILL)");
        assertThat(node.commands("terminate_client")).containsExactly("terminate_client " + server + " " + pid);
        List<RecordedSignals.Sent> signals = node.signals.sent();
        assertThat(signals).extracting(RecordedSignals.Sent::forcibly).containsExactly(false, true);
        // It had time to follow the first one.
        assertThat(Duration.between(signals.getFirst().at(), signals.getLast().at()))
                .isGreaterThan(Duration.ofSeconds(5));
        assertThat(node.machine.processes().identity(server)).isEmpty();
        assertThat(node.machine.processes().identity(pid)).isEmpty();
        assertThat(took).isLessThanOrEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aStuckClientOfADaemonThatDoesNotAnswerIsGoneByTheDeadline() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient stuck = node.join(0);
        node.machine.ignoreTerm(stuck.program().pid());
        node.quietSecond();
        node.daemon().script().hang("");

        Duration took = stop(Duration.ofSeconds(15));

        assertThat(node.machine.processes().identity(stuck.program().pid())).isEmpty();
        assertThat(node.view().state()).isEqualTo(MpsState.ABSENT);
        assertThat(took).isLessThanOrEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void aProcessThatHasTheClientsPidNowIsNotSignalled() throws Exception {
        node.start(SimulatedNode.SMALL);
        SimulatedClient gone = node.join(0);
        node.quietSecond();
        // Its connection is still there while another process has got its pid.
        node.machine.reusePid(gone.program().pid());

        stop(Duration.ofSeconds(20));

        assertThat(node.signals.sent()).isEmpty();
        assertThat(node.machine.processes().identity(gone.program().pid())).isPresent();
    }
}
