// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessScanTest {
    private static final Set<String> WANTED = Set.of("nvidia-cuda-mps-control", "nvidia-cuda-mps-server");

    @TempDir
    Path folder;

    private HostView process(long pid, String cmdline) throws IOException {
        HostView host = TestHost.root(folder);
        TestHost.write(
                host,
                "/proc/" + pid + "/stat",
                pid + " (x) S 1 1 0 0 -1 4194560 9 8 7 6 5 4 3 2 20 0 1 0 " + 1000 * pid + " 1 2\n");
        TestHost.write(host, "/proc/" + pid + "/status", "Uid:\t0\t0\t0\t0\n");
        TestHost.write(host, "/proc/" + pid + "/cmdline", cmdline);
        return host;
    }

    private static List<Long> pids(ProcessScan.Found found) {
        return found.processes().stream()
                .map(details -> details.identity().pid())
                .toList();
    }

    @Test
    void findsProgramsByTheFileNameOfTheirFirstArgument() throws Exception {
        process(1, "/sbin/init\0");
        process(30, "nvidia-cuda-mps-server\0");
        process(4, "/usr/bin/nvidia-cuda-mps-control\0-d\0");
        process(5, "/usr/bin/nvidia-cuda-mps-control-wrapper\0");
        process(6, "vim\0/usr/bin/nvidia-cuda-mps-control\0");
        HostView host = process(7, "");

        ProcessScan.Found found = new ProcessScan(host, ProcessScan.MOST).named(WANTED);

        assertThat(pids(found)).containsExactly(4L, 30L);
        assertThat(found.complete()).isTrue();
    }

    @Test
    void whatIsNoPidIsPassedOver() throws Exception {
        HostView host = process(4, "nvidia-cuda-mps-server\0");
        TestHost.write(host, "/proc/self/cmdline", "nvidia-cuda-mps-server\0");
        TestHost.write(host, "/proc/4x/cmdline", "nvidia-cuda-mps-server\0");
        TestHost.write(host, "/proc/99999999999999999999/cmdline", "nvidia-cuda-mps-server\0");

        assertThat(pids(new ProcessScan(host, ProcessScan.MOST).named(WANTED))).containsExactly(4L);
    }

    @Test
    void aProcessThatEndsMeanwhileIsLeftOut() throws Exception {
        HostView host = process(4, "nvidia-cuda-mps-server\0");
        Files.delete(host.path("/proc/4/stat"));

        assertThat(new ProcessScan(host, ProcessScan.MOST).named(WANTED).processes())
                .isEmpty();
    }

    @Test
    void theBoundHoldsAndIsSaid() throws Exception {
        for (long pid : LongStream.rangeClosed(1, 5).toArray()) {
            process(pid, "nvidia-cuda-mps-server\0");
        }
        HostView host = TestHost.root(folder);

        ProcessScan.Found cut = new ProcessScan(host, 4).named(WANTED);
        ProcessScan.Found whole = new ProcessScan(host, 5).named(WANTED);

        assertThat(cut.processes()).hasSize(4);
        assertThat(cut.complete()).isFalse();
        assertThat(whole.processes()).hasSize(5);
        assertThat(whole.complete()).isTrue();
    }

    @Test
    void aProcThatHidesTheProcessesOfOthersIsSaid() throws Exception {
        // With hidepid=2, init is not there for ordinary users.
        HostView host = process(4, "nvidia-cuda-mps-server\0");

        ProcessScan.Found found = new ProcessScan(host, ProcessScan.MOST).named(WANTED);

        assertThat(pids(found)).containsExactly(4L);
        assertThat(found.complete()).isFalse();
    }

    @Test
    void withoutProcItSaysWhatIsMissing() {
        ProcessScan scan = new ProcessScan(TestHost.root(folder), ProcessScan.MOST);

        assertThatThrownBy(() -> scan.named(WANTED))
                .isInstanceOf(HostException.class)
                .hasMessageContaining("it does not exist; it must be mounted");
    }

    @Test
    void findsThisProcess() throws Exception {
        ProcessScan.Found found = new ProcessScan(HostView.real(), ProcessScan.MOST).named(Set.of("java"));

        assertThat(pids(found)).contains(ProcessHandle.current().pid());
    }
}
