// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What systemd says about the units; without systemd there is nothing to ask, but the full tests want it. */
class UnitsIT {
    private static final Path SYSTEMD_ANALYZE = Path.of("/usr/bin/systemd-analyze");
    private static final String INSTALLED = "/usr/lib/gpu-agent/gpu-agent-(?:priv|restore)";

    @TempDir
    Path folder;

    @BeforeEach
    void systemdIsHere() {
        if (!Boolean.getBoolean("gpuagent.full")) {
            assumeThat(SYSTEMD_ANALYZE).exists();
        }
    }

    /** The helper is not installed where tests run, which is the one thing that systemd would rightly complain about. */
    private String unit(String name) throws IOException {
        String text = Files.readString(Path.of("../systemd").resolve(name));
        return Files.writeString(folder.resolve(name), text.replaceAll(INSTALLED, "/bin/true"))
                .toString();
    }

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readNBytes(1 << 20), StandardCharsets.UTF_8);
        return process.waitFor() + ": " + text;
    }

    @Test
    void systemdUnderstandsEveryLine() throws Exception {
        String socket = unit("gpu-agent-priv.socket");
        String service = unit("gpu-agent-priv@.service");

        String restore = unit("gpu-agent-restore.service");

        assertThat(run(List.of(SYSTEMD_ANALYZE.toString(), "verify", "--man=no", socket, service, restore)))
                .isEqualTo("0: ");
    }

    /** mig-parted 8: a boot that hung. */
    @Test
    void aBootNeedsNothingOfTheRestoreAndWaitsForItOnlySoLong() throws Exception {
        String restore = Files.readString(Path.of("../systemd/gpu-agent-restore.service"));

        assertThat(restore)
                .contains("Type=oneshot", "TimeoutStartSec=150", "WantedBy=multi-user.target")
                .doesNotContain("RequiredBy=");
        for (String consumer : List.of("docker", "containerd", "kubelet", "slurmd", "nvidia-cdi-refresh")) {
            assertThat(restore).containsPattern("Before=[^\n]*\\b" + consumer + "\\.service");
        }
        for (String provider : List.of("nvidia-persistenced", "nvidia-fabricmanager")) {
            assertThat(restore).containsPattern("After=[^\n]*\\b" + provider + "\\.service");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gpu-agent-priv@.service", "gpu-agent-restore.service"})
    void theHelperHasFewWaysToDoHarm(String name) throws Exception {
        String service = unit(name);

        // Of 100 at most, in tenths of what it prints; an unconfined service has 96, and this one had 24 when it was
        // written.
        assertThat(run(List.of(
                        SYSTEMD_ANALYZE.toString(),
                        "security",
                        "--no-pager",
                        "--offline=yes",
                        "--threshold=30",
                        service)))
                .startsWith("0: ");
    }
}
