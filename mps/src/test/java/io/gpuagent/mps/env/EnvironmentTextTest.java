// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.model.ClientPriority;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.mps.MpsException;
import io.gpuagent.mps.control.MpsEnvironment;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvironmentTextTest {
    private static final String GPU = "GPU-5c3d1a2b-0000-0000-0000-000000000001";
    private static final String OTHER = "GPU-6d4e2b3c-0000-0000-0000-000000000002";
    private static final Path PIPE = Path.of("/run/gpu-agent/mps/gpu-5c3d1a2b/pipe");
    private static final Share LIMITED = Share.UNLIMITED
            .withThreads(new ThreadPercentage(125))
            .withMemory(new PinnedMemoryLimit(8192))
            .withPriority(ClientPriority.BELOW_NORMAL);

    private static ClientSetup setup(Share share, String... devices) {
        return new ClientSetup("gpu-5c3d1a2b", PIPE, List.of(devices), 0, false, share);
    }

    @Test
    void aShellGetsLinesToEvaluate() {
        assertThat(EnvironmentText.of(setup(LIMITED, GPU), EnvironmentFormat.SHELL))
                .isEqualTo("""
                        export CUDA_MPS_PIPE_DIRECTORY=/run/gpu-agent/mps/gpu-5c3d1a2b/pipe
                        export CUDA_VISIBLE_DEVICES=GPU-5c3d1a2b-0000-0000-0000-000000000001
                        export CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=12.5
                        export CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=8192M
                        export CUDA_MPS_CLIENT_PRIORITY=1
                        """);
    }

    @Test
    void aUnitGetsADropIn() {
        assertThat(EnvironmentText.of(setup(Share.UNLIMITED, GPU), EnvironmentFormat.SYSTEMD))
                .isEqualTo("""
                        [Service]
                        Environment=CUDA_MPS_PIPE_DIRECTORY=/run/gpu-agent/mps/gpu-5c3d1a2b/pipe
                        Environment=CUDA_VISIBLE_DEVICES=GPU-5c3d1a2b-0000-0000-0000-000000000001
                        """);
    }

    // nvidia-container-toolkit #714: error 805 in a container without the pipe directory.
    @Test
    void aContainerGetsThePipeAtTheSamePathAndTheHostsSharedMemory() {
        assertThat(EnvironmentText.of(setup(LIMITED, GPU), EnvironmentFormat.DOCKER))
                .isEqualTo("""
                        -v /run/gpu-agent/mps/gpu-5c3d1a2b/pipe:/run/gpu-agent/mps/gpu-5c3d1a2b/pipe
                        --ipc=host
                        -e CUDA_MPS_PIPE_DIRECTORY=/run/gpu-agent/mps/gpu-5c3d1a2b/pipe
                        -e CUDA_VISIBLE_DEVICES=GPU-5c3d1a2b-0000-0000-0000-000000000001
                        -e CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=12.5
                        -e CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=8192M
                        -e CUDA_MPS_CLIENT_PRIORITY=1
                        """);
    }

    @Test
    void aLimitOfMemoryNamesTheVisibleDevicesAndNoOthersSoThatNoneIsDropped() {
        ClientSetup group = setup(LIMITED, GPU, OTHER);
        String list = group.variables().getOrDefault(MpsEnvironment.MEMORY, "");

        assertThat(list).isEqualTo("0=8192M,1=8192M");
        assertThat(MpsEnvironment.dropsMemoryLimits(list, group.devices())).isFalse();
        assertThat(MpsEnvironment.dropsMemoryLimits(list, List.of(GPU))).isTrue();
    }

    @Test
    void theNotesTellWhatTheTextCannot() {
        assertThat(setup(LIMITED, GPU).notes(EnvironmentFormat.DOCKER))
                .satisfiesExactly(
                        devices -> assertThat(devices).contains("--gpus '\"device=" + GPU + "\"'"),
                        users -> assertThat(users).contains("one user at a time"),
                        guard -> assertThat(guard).contains("accidents"));
        assertThat(new ClientSetup("pair", PIPE, List.of(GPU), 0, true, Share.UNLIMITED).notes(EnvironmentFormat.SHELL))
                .isEmpty();
    }

    @Test
    void aPathThatNeedsQuotesIsRefused() {
        assertThatThrownBy(() ->
                        new ClientSetup("pair", Path.of("/tmp/my run/pipe"), List.of(GPU), 0, false, Share.UNLIMITED))
                .isInstanceOf(MpsException.class)
                .hasMessageContaining("/tmp/my run/pipe");
    }

    @Test
    void anUnknownFormatIsRefusedWithThoseThereAre() {
        assertThat(EnvironmentFormat.parse("docker")).isEqualTo(EnvironmentFormat.DOCKER);
        assertThatThrownBy(() -> EnvironmentFormat.parse("podman")).hasMessageContaining("shell, systemd or docker");
    }
}
