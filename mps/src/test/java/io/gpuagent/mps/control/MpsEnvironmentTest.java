// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gpuagent.host.HostView;
import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MpsEnvironmentTest {
    private static final DaemonFolders FOLDERS =
            DaemonFolders.of(Path.of("/run/gpu-agent"), Path.of("/var/log/gpu-agent"), "a");
    private static final HostView HOST = new HostView(
            Path.of("/"),
            Map.of("PATH", "/bin", "LD_LIBRARY_PATH", "/lib", "HOME", "/root", "CUDA_MPS_PIPE_DIRECTORY", "/other"),
            0);
    private static final Share SHARE = Share.UNLIMITED
            .withThreads(ThreadPercentage.parse("12.5%"))
            .withMemory(PinnedMemoryLimit.parse("1T"))
            .withPriority(ClientPriority.BELOW_NORMAL);

    @Test
    void aCommandKeepsThePathsAndGetsTheDaemonsFoldersAndTheProtocol() {
        assertThat(MpsEnvironment.ofCommand(HOST, FOLDERS))
                .isEqualTo(Map.of(
                        "PATH", "/bin",
                        "LD_LIBRARY_PATH", "/lib",
                        "CUDA_MPS_PIPE_DIRECTORY", "/run/gpu-agent/mps/a/pipe",
                        "CUDA_MPS_LOG_DIRECTORY", "/var/log/gpu-agent/mps/a",
                        "CUDA_MPS_PROTOCOL_VERSION", "2"));
    }

    @Test
    void aDaemonGetsItsDevicesByUuidAndItsShareForEachOfThem() {
        assertThat(MpsEnvironment.ofDaemon(HOST, FOLDERS, List.of("GPU-a", "GPU-b"), SHARE))
                .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b")
                .containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "12.5")
                .containsEntry("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=1048576M,1=1048576M")
                .containsEntry("CUDA_MPS_CLIENT_PRIORITY", "1")
                .containsEntry("PATH", "/bin")
                .doesNotContainKey("HOME");
    }

    @Test
    void anOrdinalOrNoDeviceAtAllIsRefused() {
        for (List<String> devices : List.of(List.<String>of(), List.of("0"), List.of("GPU-a,GPU-b"), List.of(""))) {
            assertThatExceptionOfType(MpsException.class)
                    .isThrownBy(() -> MpsEnvironment.ofDaemon(HOST, FOLDERS, devices, SHARE))
                    .withMessageContaining("UUID");
        }
    }

    @Test
    void aShareWithoutLimitsSetsNothing() {
        assertThat(MpsEnvironment.ofShare(Share.UNLIMITED, 1)).isEmpty();
    }

    @Test
    void aListThatNamesADeviceTheClientCannotSeeDropsAllLimits() {
        List<String> visible = List.of("GPU-a");

        assertThat(MpsEnvironment.dropsMemoryLimits("0=4G,1=4G", visible)).isTrue();
        assertThat(MpsEnvironment.dropsMemoryLimits("GPU-b=4G", visible)).isTrue();
        assertThat(MpsEnvironment.dropsMemoryLimits("0=4G", visible)).isFalse();
        assertThat(MpsEnvironment.dropsMemoryLimits("GPU-a=4G", visible)).isFalse();
        assertThat(MpsEnvironment.dropsMemoryLimits("", visible)).isFalse();
        assertThat(MpsEnvironment.dropsMemoryLimits("0=4G,1=4G", List.of("GPU-a", "GPU-b")))
                .isFalse();
    }
}
