// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a process: signals, exit codes, and what it leaves behind. */
class ServeProcessIT {
    @TempDir
    Path folder;

    @Test
    void sigtermEndsItCleanly() throws Exception {
        int port = AgentProcess.freePort();
        try (AgentProcess agent = AgentProcess.serve(folder, port, "--simulate", "h200x8")) {
            agent.awaitReady(port);

            agent.process.destroy();

            assertThat(agent.awaitExit()).isZero();
            assertThat(agent.err())
                    .contains("serves http://127.0.0.1:" + port + "/metrics")
                    .contains("stopping");
            assertThat(agent.out()).isEmpty();
            assertThat(folder.resolve("run/gpu-agent.sock")).doesNotExist();
        }
    }

    @Test
    void aGpuThatHangsForEverDoesNotKeepItFromEnding() throws Exception {
        Path scenario = Files.writeString(folder.resolve("hang.yaml"), """
                - {at: 1s, gpu: 3, do: hang, function: nvmlDeviceGetEnforcedPowerLimit}
                """);
        int port = AgentProcess.freePort();
        try (AgentProcess agent =
                AgentProcess.serve(folder, port, "--simulate", "h200x8", "--scenario", scenario.toString())) {
            agent.awaitReady(port);
            Awaitility.await("the hang is noticed")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> agent.err().contains("GPU 3 hangs in nvmlDeviceGetEnforcedPowerLimit for over 2 s"));

            agent.process.destroy();

            // The stop's own deadline is 5 s; the rest is for a busy machine.
            assertThat(agent.process.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(agent.process.exitValue()).isZero();
            assertThat(agent.err()).contains("a call to the driver has not returned");
            assertThat(folder.resolve("run/gpu-agent.sock")).doesNotExist();
        }
    }

    @Test
    void aSecondOneIsRefusedWithTheFirstOnesPidAndOneSentence() throws Exception {
        int port = AgentProcess.freePort();
        try (AgentProcess first = AgentProcess.serve(folder, port, "--simulate", "h200");
                AgentProcess second = awaitThenServe(first, port)) {
            assertThat(second.awaitExit()).isEqualTo(1);
            assertThat(second.err())
                    .startsWith("gpu-agent: ")
                    .contains("" + first.process.pid())
                    .hasLineCount(1);
            assertThat(first.process.isAlive()).isTrue();
        }
    }

    private AgentProcess awaitThenServe(AgentProcess first, int port) throws Exception {
        first.awaitReady(port);
        return AgentProcess.serve(folder, AgentProcess.freePort(), "--simulate", "h200");
    }

    @Test
    void afterAKillTheNextOneTakesOver() throws Exception {
        int port = AgentProcess.freePort();
        try (AgentProcess first = AgentProcess.serve(folder, port, "--simulate", "h200")) {
            first.awaitReady(port);
            first.process.destroyForcibly();
            first.awaitExit();
            assertThat(folder.resolve("run/gpu-agent.sock")).as("left behind").exists();
        }
        try (AgentProcess second = AgentProcess.serve(folder, port, "--simulate", "h200x2");
                AgentProcess status = awaitThenStatus(second, port)) {
            assertThat(status.awaitExit()).isZero();
            assertThat(status.out()).contains("\"index\": 1");
        }
    }

    private AgentProcess awaitThenStatus(AgentProcess agent, int port) throws Exception {
        agent.awaitReady(port);
        return AgentProcess.start(
                folder,
                "status",
                "--json",
                "--socket",
                folder.resolve("run/gpu-agent.sock").toString());
    }

    @Test
    void withoutALibraryItServesAndSaysWhy() throws Exception {
        Path config = Files.writeString(folder.resolve("config.yaml"), """
                nvml:
                  library: /nowhere/libnvidia-ml.so.1
                """);
        int port = AgentProcess.freePort();
        try (AgentProcess agent = AgentProcess.serve(folder, port, "--config", config.toString());
                AgentProcess status = awaitThenStatus(agent, port)) {
            assertThat(status.awaitExit()).isZero();
            assertThat(status.out()).contains("\"no_library\"").contains("/nowhere/libnvidia-ml.so.1");
            assertThat(agent.err().lines().filter(line -> line.contains("no NVML library")))
                    .as("one line, however often it is tried")
                    .hasSize(1);
        }
    }

    @Test
    void badInputIsOneSentenceAndExitTwo() throws Exception {
        try (AgentProcess unknown = AgentProcess.start(folder, "serve", "--simulate", "h900")) {
            assertThat(unknown.awaitExit()).isEqualTo(2);
            assertThat(unknown.err()).contains("h900").contains("h200").hasLineCount(1);
        }
        Path scenario = Files.writeString(folder.resolve("bad.yaml"), "- {at: soon, do: dance}\n");
        try (AgentProcess bad = AgentProcess.serve(
                folder, AgentProcess.freePort(), "--simulate", "h200", "--scenario", scenario.toString())) {
            assertThat(bad.awaitExit()).isEqualTo(2);
            assertThat(bad.err()).contains("bad.yaml").contains("1");
        }
    }
}
