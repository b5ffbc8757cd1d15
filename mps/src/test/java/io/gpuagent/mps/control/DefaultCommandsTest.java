// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.ManualClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.sim.ClientProgram;
import io.gpuagent.mps.sim.SimulatedClient;
import io.gpuagent.mps.sim.SimulatedDaemon;
import io.gpuagent.mps.sim.SimulatedDevice;
import io.gpuagent.mps.sim.SimulatedSetup;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultCommandsTest {
    @Test
    void aGroupHasALimitOfMemoryForEachOfItsDevices() {
        Share share = Share.UNLIMITED
                .withThreads(ThreadPercentage.parse("12.5%"))
                .withMemory(PinnedMemoryLimit.parse("8GiB"))
                .withPriority(ClientPriority.BELOW_NORMAL);

        assertThat(DefaultCommands.of(share, 2))
                .containsExactly(
                        "set_default_active_thread_percentage 12.5",
                        "set_default_device_pinned_mem_limit 0 8192M",
                        "set_default_device_pinned_mem_limit 1 8192M",
                        "set_default_client_priority 1");
    }

    @Test
    void withoutAShareTheDriversDefaultsAreSet() {
        assertThat(DefaultCommands.of(Share.UNLIMITED, 1))
                .containsExactly("set_default_active_thread_percentage 100", "set_default_client_priority 0");
    }

    @Test
    void allLinesOfOneRunAreCarriedOutBeforeTheFirstClientComes(@TempDir Path folder) {
        SimulatedDaemon daemon = SimulatedDaemon.start(
                SimulatedSetup.h200(new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log")))
                        .withDevices(List.of(SimulatedDevice.H200)),
                new ManualClock());
        Share share =
                Share.UNLIMITED.withThreads(ThreadPercentage.parse("40%")).withMemory(PinnedMemoryLimit.parse("20GiB"));

        daemon.answer(String.join("\n", DefaultCommands.of(share, 1)) + "\n", 0).join();
        SimulatedClient first = daemon.join(ClientProgram.of(100));

        assertThat(first.threads()).isEqualTo(40);
        assertThat(first.memoryLimit(0)).hasValue(20L << 30);
    }
}
