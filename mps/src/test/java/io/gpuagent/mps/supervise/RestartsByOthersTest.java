// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.mps.MpsState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Daemons that systemd starts again, or does not any more. */
class RestartsByOthersTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void start() throws ChangeRefused {
        node = new SimulatedNode(folder);
        node.start(SimulatedNode.SMALL);
    }

    private void die() {
        node.machine.kill(node.view().pid().orElseThrow());
    }

    private DaemonLauncher.Launch launch() {
        return new DaemonLauncher.Launch(
                SimulatedNode.ID,
                List.of(SimulatedNode.UUID),
                false,
                node.daemonFolders(),
                folder.resolve("state/mps/" + SimulatedNode.ID + "/environment"));
    }

    @Test
    void nobodyElseStartsADaemonThatIsOnItsWay() {
        node.launcher.prospect = DaemonLauncher.Prospect.RETURNS;
        die();

        node.pass(Duration.ofMinutes(2));
        assertThat(node.launcher.starts).isEqualTo(1);
        assertThat(node.view().state()).isEqualTo(MpsState.STARTING);

        node.launcher.startByItself(launch());
        node.quietSecond();
        assertThat(node.view().state()).isEqualTo(MpsState.IDLE);
        assertThat(node.view().counters().restarts()).isEqualTo(1);
    }

    @Test
    void oneThatWasGivenUpIsACrashLoopAndItsGpuGetsItsModeBack() throws ChangeRefused {
        node.supervision.stop(SimulatedNode.ID, StopMode.REFUSE, Duration.ZERO, node.progress::add);
        node.supervision.start(
                new DaemonWish(SimulatedNode.ID, List.of(SimulatedNode.UUID), SimulatedNode.SMALL, false, true),
                node.progress::add);
        assertThat(node.modes).containsEntry(SimulatedNode.UUID, ComputeModes.Mode.EXCLUSIVE_PROCESS);
        node.launcher.prospect = DaemonLauncher.Prospect.GIVEN_UP;
        die();

        node.pass(Duration.ofSeconds(5));

        assertThat(node.view().state()).isEqualTo(MpsState.CRASHLOOP);
        assertThat(node.view().reasons()).extracting("code").containsExactly("mps_crash_loop");
        assertThat(node.launcher.starts).isEqualTo(2);
        assertThat(node.modes).containsEntry(SimulatedNode.UUID, ComputeModes.Mode.DEFAULT);
    }

    @Test
    void anAgentThatMayChangeNothingSaysSoAllTheSameAndSeesTheDaemonComeBack() {
        node.restarts = false;
        node.restart();
        node.quietSecond();
        node.launcher.prospect = DaemonLauncher.Prospect.GIVEN_UP;
        die();

        node.pass(Duration.ofSeconds(5));
        assertThat(node.view().state()).isEqualTo(MpsState.CRASHLOOP);
        assertThat(node.view().detail().orElseThrow()).contains("systemd gave it up", "start it again");

        node.launcher.startByItself(launch());
        node.pass(Duration.ofSeconds(15));
        assertThat(node.view().state()).isEqualTo(MpsState.IDLE);
    }
}
