// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuEnvironmentTest {
    @TempDir
    Path folder;

    private HostView host;

    @BeforeEach
    void aProcess() throws IOException {
        host = TestHost.root(folder);
        TestHost.write(host, "/proc/40/stat", "40 (x) S" + " 0".repeat(18) + " 400 0\n");
    }

    @Test
    void onlyWhatConcernsGpusIsKept() throws Exception {
        TestHost.write(
                host,
                "/proc/40/environ",
                "PATH=/bin\0AWS_SECRET_ACCESS_KEY=x\0CUDA_VISIBLE_DEVICES=GPU-1\0NVIDIA_VISIBLE_DEVICES=all\0"
                        + "MY_CUDA_TOKEN=y\0cuda_x=z\0CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=4G,1=4G\0CUDA_EMPTY=\0");

        assertThat(GpuEnvironment.read(host, 40))
                .contains(new GpuEnvironment(
                        new ProcessIdentity(40, 400),
                        Map.of(
                                "CUDA_VISIBLE_DEVICES", "GPU-1",
                                "NVIDIA_VISIBLE_DEVICES", "all",
                                "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=4G,1=4G",
                                "CUDA_EMPTY", "")));
    }

    @Test
    void ofANameThatStandsThereTwiceTheFirstCounts() throws Exception {
        TestHost.write(host, "/proc/40/environ", "CUDA_X=1\0CUDA_X=2\0CUDA_NO_VALUE\0=\0");

        assertThat(GpuEnvironment.read(host, 40).orElseThrow().variables()).isEqualTo(Map.of("CUDA_X", "1"));
    }

    @Test
    void aValueHasABound() throws Exception {
        TestHost.write(host, "/proc/40/environ", "CUDA_X=" + "y".repeat(100_000) + "\0");

        assertThat(GpuEnvironment.read(host, 40).orElseThrow().variables().get("CUDA_X"))
                .hasSize(4096);
    }

    @Test
    void aProcessThatIsGoneHasNone() {
        assertThat(GpuEnvironment.read(host, 41)).isEmpty();
        assertThat(GpuEnvironment.read(host, 40)).isEmpty();
    }
}
