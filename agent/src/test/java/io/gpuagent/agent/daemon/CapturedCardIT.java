// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.AgentConfig;
import io.gpuagent.agent.config.GpuSource;
import io.gpuagent.nvml.sim.SimProfile;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real H200 under driver 580.159.04, captured by {@code gpu-agent capture} on 2026-12-01 and replayed. On the machine
 * itself the page of the replay had exactly the series of the page of the card.
 */
class CapturedCardIT {
    @TempDir
    Path folder;

    @Test
    void theReplayHasThePageThatTheCardHad() throws Exception {
        Path capture = folder.resolve("h200.json");
        try (InputStream in = SimProfile.class.getResourceAsStream("h200-580.159.04.json")) {
            Files.copy(in, capture);
        }
        String page = OnePoll.page(
                OnePoll.take(AgentConfig.DEFAULT, new GpuSource.Simulated(capture.toString(), Optional.empty())));

        List<String> series = page.lines()
                .filter(line -> line.startsWith("gpu_") && !line.startsWith("gpu_agent_"))
                .toList();
        assertThat(series).hasSize(90);
        assertThat(series)
                .anyMatch(line -> line.startsWith("gpu_info{")
                        && line.contains("name=\"NVIDIA H200\"")
                        && line.contains("vbios=\"96.00.A5.00.1A\"")
                        && line.contains("pci_bus_id=\"00000000:00:06.0\""))
                .anyMatch(line -> line.startsWith("gpu_memory_size_bytes{") && line.endsWith(" 1.50754820096E11"))
                .anyMatch(line -> line.contains("state=\"reserved\"") && line.endsWith(" 6.44939776E8"))
                .anyMatch(line -> line.contains("kind=\"slowdown\"") && line.endsWith(" 89.0"))
                .anyMatch(line -> line.contains("domain=\"sm\"") && line.endsWith(" 3.45E8"))
                .anyMatch(line -> line.startsWith("gpu_clock_limited{")
                        && line.contains("reason=\"gpu_idle\"")
                        && line.endsWith(" 1.0"));
    }
}
