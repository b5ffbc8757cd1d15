// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.sim.SimulatedClient;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of memory that come, go, and lie between two gigabytes. */
class MemoryLimitTest {
    @TempDir
    Path folder;

    private SimulatedNode node;

    @BeforeEach
    void open() {
        node = new SimulatedNode(folder);
    }

    private void setMemory(String limit) throws ChangeRefused {
        node.supervision.set(
                SimulatedNode.ID, Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse(limit)), node.progress::add);
    }

    @Test
    void aLimitOfMemoryIsTakenOffForTheNextClientAndTheNextServer() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        SimulatedClient before = node.join(0);
        node.quietSecond();

        setMemory("none");

        assertThat(before.memoryLimit(0)).hasValue(8L << 30);
        assertThat(node.join(0).memoryLimit(0)).isEmpty();
        assertThat(node.view().wanted().memory()).isEmpty();
        assertThat(node.view().inForce().orElseThrow().memory()).isEmpty();
        // What was not named stays.
        assertThat(node.view().wanted().threads()).contains(ThreadPercentage.parse("25"));
        node.machine.kill(node.daemon().serverPids().getFirst());
        assertThat(node.join(0).memoryLimit(0)).isEmpty();
        node.pass(Duration.ofSeconds(61));
        assertThat(node.view().reasons()).isEmpty();
    }

    @Test
    void aLimitThatCouldNotBeTakenOffIsInForceAgain() throws ChangeRefused {
        node.start(SimulatedNode.SMALL);
        node.join(0);
        node.quietSecond();
        long server = node.daemon().serverPids().getFirst();
        node.daemon().script().instead("set_device_pinned_mem_limit " + server + " 0 0M", "", 0);

        assertThatThrownBy(() -> setMemory("none")).hasMessageEndingWith("; the former values are in force again");

        assertThat(node.join(0).memoryLimit(0)).hasValue(8L << 30);
        assertThat(node.daemon()
                        .answer("get_default_device_pinned_mem_limit 0\n", 0)
                        .join()
                        .text())
                .isEqualTo("8G\n");
    }

    @Test
    void aFirstLimitThatFailsIsTakenOffAgain() throws ChangeRefused {
        node.start(Share.UNLIMITED);
        node.join(0);
        node.quietSecond();
        long server = node.daemon().serverPids().getFirst();
        node.daemon().script().instead("set_device_pinned_mem_limit " + server + " 0 8192M", "", 0);

        assertThatThrownBy(() -> setMemory("8GiB")).hasMessageEndingWith("; the former values are in force again");

        node.machine.kill(server);
        assertThat(node.join(0).memoryLimit(0)).isEmpty();
    }

    /** A daemon tells 12800M as 12G, and gives 12800M (captured on an H200, driver 580.159.04). */
    @Test
    void aLimitThatIsNoWholeGigabyteHoldsToTheMegabyte() throws ChangeRefused {
        node.start(Share.UNLIMITED.withMemory(PinnedMemoryLimit.parse("12800M")));
        assertThat(node.join(0).memoryLimit(0)).hasValue(12800L << 20);

        setMemory("1500M");

        assertThat(node.join(0).memoryLimit(0)).hasValue(1500L << 20);
        assertThat(node.view().inForce().orElseThrow().memory()).contains(PinnedMemoryLimit.parse("1500M"));
        node.pass(Duration.ofSeconds(61));
        assertThat(node.view().reasons()).isEmpty();
    }
}
