// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.agent.config.MetricsFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command line and the configuration say of the metrics page. */
class MetricsOptionsTest {
    @TempDir
    Path root;

    private CommandRun command;

    @BeforeEach
    void setUp() {
        command = new CommandRun(root);
    }

    @ParameterizedTest
    @CsvSource({
        "'', NATIVE",
        "'metrics: {format: dcgm}', DCGM",
    })
    void metricsHasTheFormatOfTheFileUnlessOneIsAskedFor(String file, MetricsFormat expected) throws IOException {
        usual(file);

        assertThat(command.run("metrics")).isZero();
        assertThat(command.agent().metrics.format()).isEqualTo(expected);

        assertThat(command.run("metrics", "--format", "dcgm")).isZero();
        assertThat(command.agent().metrics.format()).isEqualTo(MetricsFormat.DCGM);

        assertThat(command.run("metrics", "--format", "native")).isZero();
        assertThat(command.agent().metrics.format()).isEqualTo(MetricsFormat.NATIVE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--web-config", "--web.config.file"})
    void serveTakesAWebConfigurationAsPrometheussExportersDo(String option) {
        assertThat(command.run("serve", option, "/etc/web.yml")).isZero();

        assertThat(command.agent().config.metrics().webConfig()).contains(Path.of("/etc/web.yml"));
    }

    @Test
    void configCheckReadsTheFilesThatAreNamed() throws IOException {
        Path counters = Files.writeString(
                root.resolve("counters.csv"), "DCGM_FI_DEV_GPU_TEMP, gauge, x\nDCGM_FI_X, gauge, x\n");
        Path web = Files.writeString(root.resolve("web.yml"), "basic_auth_users: {alice: secret}\n");
        usual("metrics:\n  dcgm-counters: " + counters + "\n");

        assertThat(command.run("config", "check")).isZero();
        assertThat(command.err()).contains(counters + ":2: this agent knows no field DCGM_FI_X");

        usual("metrics:\n  web-config: " + web + "\n");
        assertThat(command.run("config", "check")).isEqualTo(2);
        assertThat(command.err()).contains(web + ":1:27: basic_auth_users.alice: the value is no bcrypt hash");
        assertThat(command.err()).doesNotContain("secret");
    }

    private void usual(String text) throws IOException {
        Path folder = Files.createDirectories(root.resolve("etc/gpu-agent"));
        Files.writeString(folder.resolve("config.yaml"), text);
    }
}
