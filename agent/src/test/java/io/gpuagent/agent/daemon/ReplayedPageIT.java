// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.agent.poll.NvmlSource;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.nvml.SymbolSource;
import io.gpuagent.nvml.sim.SimProfile;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedProcess;
import io.gpuagent.nvml.sim.capture.Capture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics page of a replayed capture is the page of the node that was captured, series by series. */
class ReplayedPageIT {
    @TempDir
    Path folder;

    @Test
    void replayHasThePageOfItsSource() throws Exception {
        SimulatedDriver node = SimulatedDriver.start(SimProfile.parse("h200x2"), SystemClock.INSTANCE::nanos);
        node.freeze();
        node.gpu(1).setUtilization(61, 20);
        node.gpu(1).setPower(432_100);
        node.gpu(1).setProcesses(List.of(new SimulatedProcess(6_000_001, SimulatedProcess.Kind.COMPUTE, 3L << 30)));
        node.gpu(1).state().addCorrectedErrors(7);
        node.gpu(1).state().setRemappedRows(2, 1, true, false);

        assertThat(replayed(node)).containsExactlyElementsOf(page(node));
    }

    @Test
    void whatTheSourceRefusesIsAbsentFromBothPages() throws Exception {
        SimulatedDriver node = SimulatedDriver.start(SimProfile.parse("h200@535x2"), SystemClock.INSTANCE::nanos);
        node.freeze();
        node.gpu(0).answer("nvmlDeviceGetPowerUsage", 3);
        node.gpu(1).answer("nvmlDeviceGetTotalEccErrors", 999);

        List<String> source = page(node);
        assertThat(source).hasSizeGreaterThan(100);
        assertThat(replayed(node)).containsExactlyElementsOf(source);
    }

    private List<String> replayed(SymbolSource source) throws Exception {
        String json = Capture.take(source, SystemClock.INSTANCE::nanos, true, Capture.Deadlines.DEFAULT)
                .json("A test.");
        Path file = Files.writeString(folder.resolve("capture.json"), json);
        return series(OnePoll.page(
                OnePoll.take(AgentConfig.DEFAULT, new GpuSource.Simulated(file.toString(), Optional.empty()))));
    }

    private static List<String> page(SymbolSource source) {
        return series(OnePoll.page(OnePoll.take(
                AgentConfig.DEFAULT,
                NvmlAccess.of(NvmlSource.lasting(source, "a simulation"), source),
                SystemClock.INSTANCE,
                true)));
    }

    /** All but what the agent says of itself: its times, and how long its calls took. */
    private static List<String> series(String page) {
        return page.lines()
                .filter(line -> !line.contains("gpu_agent_"))
                .filter(line -> !line.startsWith("#"))
                .toList();
    }
}
