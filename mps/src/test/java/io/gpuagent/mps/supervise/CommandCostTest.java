// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.mps.MpsClientView;
import io.gpuagent.mps.sim.SimulatedClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Few commands are sent, and a change that somebody else makes is noticed all the same. */
class CommandCostTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    private long commands() {
        return node.view().counters().commands();
    }

    @Test
    void aSteadyHourTakesACommandAMinuteAndAWholeCheckEachTenMinutes() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.join(0);
        node.pass(Duration.ofMinutes(2));

        long start = commands();
        node.pass(Duration.ofHours(1));

        // A percentage of the daemon or its server; servers, a status, clients, three defaults, two limits of the
        // server.
        assertThat(commands() - start).isEqualTo(54 + 6 * 8);
    }

    @Test
    void whatASetterOfSomebodyElseDidIsPutRightAndWhoCameMeanwhileIsUnknown() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.pass(Duration.ofSeconds(61));
        long server = node.daemon().serverPids().getFirst();

        node.daemon()
                .answer("set_active_thread_percentage " + server + " 100\n", 0)
                .join();
        SimulatedClient escaped = node.join(0);
        node.quietSecond();

        assertThat(escaped.multiprocessors()).isEqualTo(132);
        assertThat(node.view().clients())
                .filteredOn(client -> client.pid() == escaped.program().pid())
                .extracting(MpsClientView::onOldLimits)
                .containsExactly(Optional.empty());
        node.quietSecond();
        assertThat(node.join(0).multiprocessors()).isEqualTo(32);
    }

    @Test
    void aLimitOfMemoryThatSomebodyElseSetIsPutRightWithinASecond() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.pass(Duration.ofSeconds(61));

        node.daemon().answer("set_default_device_pinned_mem_limit 0 100G\n", 0).join();
        node.quietSecond();

        assertThat(node.join(0).memoryLimit(0)).hasValue(8L << 30);
    }

    @Test
    void aStrangersCommandsDoNotMakeTheAgentSendItsOwnEachSecond() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.pass(Duration.ofSeconds(61));
        long start = commands();

        for (int second = 0; second < 50; second++) {
            // It is refused, and the log tells of it all the same.
            node.daemon()
                    .answer("set_default_active_thread_percentage 100\n", 1000)
                    .join();
            node.quietSecond();
        }

        // Each five seconds: servers and three defaults.
        assertThat(commands() - start).isLessThanOrEqualTo(11 * 4);
    }

    @Test
    void aLineThatTheLogLostIsMadeUpForWithinTwoMinutes() throws Exception {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.pass(Duration.ofSeconds(61));
        long server = node.daemon().serverPids().getFirst();

        node.daemon()
                .answer("set_active_thread_percentage " + server + " 100\n", 0)
                .join();
        Files.writeString(node.daemonFolders().controlLog(), "");
        node.pass(Duration.ofSeconds(121));

        assertThat(node.join(0).multiprocessors()).isEqualTo(32);
    }
}
