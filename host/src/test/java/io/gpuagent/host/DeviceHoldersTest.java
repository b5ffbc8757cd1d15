// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceHoldersTest {
    @TempDir
    Path folder;

    private HostView host;

    private void process(long pid, String name, int uid, String... files) throws IOException {
        host = TestHost.root(folder);
        String proc = "/proc/" + pid;
        TestHost.write(host, proc + "/stat", pid + " (" + name + ") S" + " 0".repeat(18) + " " + pid * 10 + " 0\n");
        TestHost.write(host, proc + "/status", "Name:\t" + name + "\nUid:\t" + uid + "\t" + uid + "\t" + uid + "\n");
        TestHost.write(host, proc + "/comm", name + "\n");
        Path fd = Files.createDirectories(host.path(proc + "/fd"));
        for (int number = 0; number < files.length; number++) {
            Files.createSymbolicLink(fd.resolve(Integer.toString(number)), Path.of(files[number]));
        }
    }

    @Test
    void thoseWhoHoldANodeAreFoundWithUserAndName() throws Exception {
        process(40, "python3", 1000, "/dev/null", "/dev/nvidiactl", "/dev/nvidia1", "/dev/nvidia1");
        process(7, "nvidia-persiste", 0, "socket:[4711]", "/dev/nvidia0");
        process(41, "bash", 1000, "/dev/pts/0", "/dev/nvidia10");
        TestHost.write(host, "/proc/uptime", "1 1\n");

        assertThat(new DeviceHolders(host).of(List.of("/dev/nvidia0", "/dev/nvidia1", "/dev/nvidiactl")))
                .containsExactly(
                        new DeviceHolder(new ProcessIdentity(7, 70), 0, "nvidia-persiste", List.of("/dev/nvidia0")),
                        new DeviceHolder(
                                new ProcessIdentity(40, 400),
                                1000,
                                "python3",
                                List.of("/dev/nvidia1", "/dev/nvidiactl")));
    }

    @Test
    void aNodeIsKnownByItsNumberUnderAnotherName() throws Exception {
        // What a container sees as /dev/gpu is the same device as the host's node; here both are the null device.
        process(40, "trainer", 1000, "/dev/null");
        Files.createDirectories(host.path("/dev"));
        Files.createSymbolicLink(host.path("/dev/nvidia0"), Path.of("/dev/null"));

        assertThat(new DeviceHolders(host).of(List.of("/dev/nvidia0")))
                .containsExactly(
                        new DeviceHolder(new ProcessIdentity(40, 400), 1000, "trainer", List.of("/dev/nvidia0")));
    }

    @Test
    void whoeverEndsMeanwhileOrHidesIsLeftOut() throws Exception {
        process(40, "python3", 1000, "/dev/nvidia0");
        Files.createDirectories(host.path("/proc/41"));
        Files.delete(host.path("/proc/40/comm"));

        assertThat(new DeviceHolders(host).of(List.of("/dev/nvidia0"))).isEmpty();
    }

    /** As with hidepid (proc(5)): who sees no process 1 does not see all. */
    @Test
    void whereTheInitProcessIsHiddenNobodySaysThatAllWereSeen() throws Exception {
        process(40, "python3", 1000, "/dev/nvidia0");

        assertThat(new DeviceHolders(host).find(List.of("/dev/nvidia0")).complete())
                .isFalse();

        process(1, "systemd", 0);

        assertThat(new DeviceHolders(host).find(List.of("/dev/nvidia0")).complete())
                .isTrue();
    }

    @Test
    void withoutProcThereIsAReason() {
        assertThatExceptionOfType(HostException.class)
                .isThrownBy(() -> new DeviceHolders(TestHost.root(folder)).of(List.of("/dev/nvidia0")))
                .withMessageEndingWith("it must be mounted");
    }
}
