// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.host.HostView;
import io.gpuagent.host.ProcessIdentity;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.MpsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of systemctl: a program that writes down its arguments and knows one process. */
class SystemdLauncherIT {
    @TempDir
    Path folder;

    private Process unit;
    private SystemdLauncher launcher;
    private DaemonLauncher.Launch launch;

    @BeforeEach
    void install() throws IOException {
        unit = new ProcessBuilder("sleep", "600").start();
        launcher = new SystemdLauncher(
                systemctl("case \"$*\" in *MainPID*) echo " + unit.pid() + ";; *stop*) kill " + unit.pid()
                        + "; while [ -d /proc/" + unit.pid() + " ]; do :; done;; esac"),
                new ProcTable(HostView.real()),
                SystemClock.INSTANCE);
        launch = new DaemonLauncher.Launch(
                "gpu-00000000",
                List.of("GPU-00000000-0000-0000-0000-000000000001"),
                false,
                DaemonFolders.of(folder, folder, "gpu-00000000"),
                folder.resolve("environment"));
    }

    private String systemctl(String body) throws IOException {
        Path program = folder.resolve("systemctl");
        Files.writeString(program, "#!/bin/sh\necho \"$*\" >> '" + folder + "/asked'\n" + body + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program.toString();
    }

    @AfterEach
    void end() {
        unit.destroyForcibly().onExit().join();
    }

    @Test
    void aDaemonIsItsUnitsMainProcess() throws IOException {
        assertThat(launcher.start(launch).pid()).isEqualTo(unit.pid());
        assertThat(Files.readAllLines(folder.resolve("asked")))
                .containsExactly(
                        "--no-ask-password --no-pager reset-failed gpu-agent-mps@gpu-00000000.service",
                        "--no-ask-password --no-pager start gpu-agent-mps@gpu-00000000.service",
                        "--no-ask-password --no-pager show --property=MainPID --value"
                                + " gpu-agent-mps@gpu-00000000.service");
    }

    @Test
    void aUnitThatIsStoppedHasNoProcess() {
        assertThat(launcher.end(launch, launcher.running(launch).orElseThrow(), Duration.ofSeconds(10)))
                .isTrue();
        assertThat(launcher.running(launch)).isEmpty();
    }

    @Test
    void aUnitThatCannotBeStartedIsToldOfInItsOwnWords() throws IOException {
        SystemdLauncher failing = new SystemdLauncher(
                systemctl("echo 'Unit not found.'; exit 5"), new ProcTable(HostView.real()), SystemClock.INSTANCE);

        assertThatThrownBy(() -> failing.start(launch))
                .isInstanceOf(MpsException.class)
                .hasMessage("systemctl start gpu-agent-mps@gpu-00000000.service failed: Unit not found.");
    }

    @Test
    void whatBecomesOfADaemonFollowsFromTheStateOfItsUnit() throws IOException {
        for (var state : Map.of(
                        "failed", DaemonLauncher.Prospect.GIVEN_UP,
                        "activating", DaemonLauncher.Prospect.RETURNS,
                        "deactivating", DaemonLauncher.Prospect.RETURNS,
                        "active", DaemonLauncher.Prospect.RETURNS,
                        "inactive", DaemonLauncher.Prospect.NONE)
                .entrySet()) {
            SystemdLauncher asking = new SystemdLauncher(
                    systemctl("echo " + state.getKey()), new ProcTable(HostView.real()), SystemClock.INSTANCE);

            assertThat(asking.prospect(launch)).as(state.getKey()).isEqualTo(state.getValue());
        }
    }

    @Test
    void aStopThatTakesTooLongEndsWithAKillThatIsWaitedFor() throws IOException {
        // A stop that hangs in ExecStop=, and a kill that takes its time to be carried out.
        SystemdLauncher slow = new SystemdLauncher(
                systemctl("case \"$*\" in *stop*) exec sleep 60;; *kill*) (sleep 0.2; kill -9 " + unit.pid()
                        + ") >/dev/null 2>&1 & ;; esac"),
                new ProcTable(HostView.real()),
                SystemClock.INSTANCE);
        ProcessIdentity process =
                ProcessIdentity.of(HostView.real(), unit.pid()).orElseThrow();

        assertThat(slow.end(launch, process, Duration.ofSeconds(4))).isTrue();
    }
}
