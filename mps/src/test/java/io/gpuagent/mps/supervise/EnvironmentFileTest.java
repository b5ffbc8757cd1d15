// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that systemd and the detached launcher read. */
class EnvironmentFileTest {
    @TempDir
    Path folder;

    @Test
    void valuesComeBackAsTheyWere() throws IOException {
        EnvironmentFile file = new EnvironmentFile(folder.resolve("environment"));
        Map<String, String> variables = new TreeMap<>(Map.of(
                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=8192M,1=8192M",
                "EMPTY", "",
                "PATH", "/opt/a b:/usr/bin",
                "ODD", "a\"b\\c$d`e"));

        file.write(variables);

        assertThat(file.read()).isEqualTo(variables);
        assertThat(Files.readAllLines(file.path()))
                .containsExactly(
                        "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=8192M,1=8192M",
                        "EMPTY=\"\"",
                        "ODD=\"a\\\"b\\\\c\\$d\\`e\"",
                        "PATH=\"/opt/a b:/usr/bin\"");
    }

    @Test
    void aValueOfTwoLinesIsRefusedAndTheFileStaysAsItWas() {
        EnvironmentFile file = new EnvironmentFile(folder.resolve("environment"));
        file.write(Map.of("A", "1"));

        assertThatThrownBy(() -> file.write(Map.of("A", "1\nLD_PRELOAD=/tmp/x.so")))
                .isInstanceOf(MpsException.class)
                .hasMessage("the variable A has a control character: remove it");
        assertThat(file.read()).isEqualTo(Map.of("A", "1"));
    }
}
