// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the unit must and must not say, whoever changes it. */
class MpsUnitTest {
    static final Path UNIT = Path.of("../systemd/gpu-agent-mps@.service");
    private static final Path NEEDRESTART = Path.of("../systemd/needrestart/gpu-agent-mps.conf");

    private List<String> lines;

    @BeforeEach
    void read() throws IOException {
        lines = Files.readAllLines(UNIT).stream()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
    }

    private List<String> values(String key) {
        return lines.stream()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .toList();
    }

    private String value(String key) {
        assertThat(values(key)).as(key).hasSize(1);
        return values(key).getFirst();
    }

    @Test
    void theDaemonRunsInTheForegroundWithTheEnvironmentOfItsFile() {
        assertThat(value("Type")).isEqualTo("exec");
        assertThat(value("ExecStart")).isEqualTo("/usr/bin/nvidia-cuda-mps-control -f $GPU_AGENT_MPS_OPTIONS");
        // Without a hyphen: a daemon without its file would take all GPUs.
        assertThat(value("EnvironmentFile")).isEqualTo("/var/lib/gpu-agent/mps/%i/environment");
        assertThat(value("AssertPathExists")).isEqualTo(value("EnvironmentFile"));
        assertThat(value("After")).contains("nvidia-persistenced.service");
    }

    @Test
    void noShellIsStarted() {
        assertThat(lines)
                .filteredOn(line -> line.startsWith("Exec"))
                .allMatch(line ->
                        line.matches("Exec(Start|StartPost|Stop)=-?/usr/bin/(nvidia-cuda-mps-control|gpu-agent) .*"))
                .hasSize(3);
    }

    @Test
    void theLimitOfMemoryIsSetBehindEachStartAndItsFailureEndsNoClient() {
        assertThat(value("ExecStartPost")).isEqualTo("-/usr/bin/gpu-agent mps unit-start");
        // 45 s, and three commands that take 10 s each.
        assertThat(Integer.parseInt(value("TimeoutStartSec"))).isGreaterThan(45 + 3 * 10);
    }

    @Test
    void aStopLetsClientsAndServersHaveTheirTime() {
        assertThat(value("ExecStop")).isEqualTo("/usr/bin/gpu-agent mps unit-stop");
        // 30 s for clients, 10 s each for version, servers, and the last look at servers and clients; 8 s for quit, 15
        // s until
        // all have gone.
        assertThat(Integer.parseInt(value("TimeoutStopSec"))).isGreaterThanOrEqualTo(30 + 4 * 10 + 8 + 12);
        assertThat(value("KillMode")).isEqualTo("mixed");
    }

    @Test
    void aCrashIsFollowedByAStartThatComesLaterEachTimeAndNotForEver() {
        assertThat(value("Restart")).isEqualTo("on-failure");
        assertThat(Integer.parseInt(value("RestartSec"))).isBetween(1, 10);
        assertThat(value("RestartMaxDelaySec")).isEqualTo("60");
        assertThat(value("StartLimitIntervalSec")).isEqualTo("10min");
        assertThat(value("StartLimitBurst")).isEqualTo("5");
    }

    @Test
    void oneKilledServerDoesNotEndTheOthers() {
        assertThat(value("OOMPolicy")).isEqualTo("continue");
        assertThat(Integer.parseInt(value("LimitNOFILE"))).isGreaterThanOrEqualTo(16384);
    }

    @Test
    void nothingHidesSocketsOrSharedMemoryFromClientsOrTakesThePipesAway() {
        for (String key : List.of(
                "RuntimeDirectory",
                "PrivateTmp",
                "PrivateIPC",
                "NoNewPrivileges",
                "DynamicUser",
                "PartOf",
                "BindsTo")) {
            assertThat(values(key)).as(key).isEmpty();
        }
        assertThat(lines).doesNotContain("[Install]");
    }

    @Test
    void needrestartLeavesDaemonsAloneAndNothingElse() throws IOException {
        Pattern line = Pattern.compile("\\$nrconf\\{override_rc}\\{qr\\((.*)\\)} = 0;");
        List<String> rules = Files.readAllLines(NEEDRESTART).stream()
                .filter(text -> !text.startsWith("#"))
                .toList();

        assertThat(rules).hasSize(1);
        Matcher rule = line.matcher(rules.getFirst());
        assertThat(rule.matches()).isTrue();
        Pattern units = Pattern.compile(rule.group(1));
        assertThat(units.matcher("gpu-agent-mps@gpu-5c3d1a2b.service").find()).isTrue();
        assertThat(units.matcher("gpu-agent.service").find()).isFalse();
    }
}
