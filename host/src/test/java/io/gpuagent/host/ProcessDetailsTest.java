// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessDetailsTest {
    private static final String BEHIND = " 0 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 123456 1000 2000\n";

    @TempDir
    Path folder;

    private HostView process(String stat, String status, String cmdline) throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(host, "/proc/42/stat", stat);
        TestHost.write(host, "/proc/42/status", status);
        TestHost.write(host, "/proc/42/cmdline", cmdline);
        return host;
    }

    @Test
    void tellsNameUserParentStartAndCommandLine() throws IOException {
        HostView host = process(
                "42 (nvidia-cuda-mps) S 7 1" + BEHIND,
                "Name:\tnvidia-cuda-mps\nUid:\t1000\t1001\t1002\t1003\n",
                "/usr/bin/nvidia-cuda-mps-control\0-f\0");

        ProcessDetails details = ProcessDetails.of(host, 42).orElseThrow();

        assertThat(details)
                .isEqualTo(new ProcessDetails(
                        new ProcessIdentity(42, 123456),
                        7,
                        1001,
                        "nvidia-cuda-mps",
                        List.of("/usr/bin/nvidia-cuda-mps-control", "-f")));
        assertThat(details.program()).contains("nvidia-cuda-mps-control");
    }

    @Test
    void aZombieHasANameAndNoProgram() throws IOException {
        HostView host = process("42 (nvidia-cuda-mps) Z 1 1" + BEHIND, "Uid:\t0\t0\t0\t0\n", "");

        ProcessDetails details = ProcessDetails.of(host, 42).orElseThrow();

        assertThat(details.name()).isEqualTo("nvidia-cuda-mps");
        assertThat(details.program()).isEmpty();
    }

    @Test
    void anEmptyArgumentIsKept() throws IOException {
        HostView host = process("42 (a) (b)) S 1 1" + BEHIND, "Uid:\t0\t0\t0\t0\n", "python3\0\0-c\0");

        ProcessDetails details = ProcessDetails.of(host, 42).orElseThrow();

        assertThat(details.name()).isEqualTo("a) (b)");
        assertThat(details.arguments()).containsExactly("python3", "", "-c");
    }

    @Test
    void whatIsCutShortIsNoProcess() throws IOException {
        assertThat(ProcessDetails.of(process("42 (x) S", "Uid:\t0\t0\t0\t0\n", "x\0"), 42))
                .isEmpty();
        assertThat(ProcessDetails.of(process("42 (x) S 1 1" + BEHIND, "Name:\tx\n", "x\0"), 42))
                .isEmpty();
    }

    @Test
    void aProcessThatEndedMeanwhileIsNone() throws IOException {
        HostView host = process("42 (x) S 1 1" + BEHIND, "Uid:\t0\t0\t0\t0\n", "x\0");
        Files.delete(host.path("/proc/42/cmdline"));

        assertThat(ProcessDetails.of(host, 42)).isEmpty();
        assertThat(ProcessDetails.of(host, 43)).isEmpty();
    }

    @Test
    void findsThisProcess() {
        ProcessDetails self = ProcessDetails.of(
                        HostView.real(), ProcessHandle.current().pid())
                .orElseThrow();

        assertThat(self.program()).contains("java");
        assertThat(self.uid()).isEqualTo(HostView.real().uid());
        assertThat(self.parent())
                .isEqualTo(ProcessHandle.current().parent().orElseThrow().pid());
    }
}
