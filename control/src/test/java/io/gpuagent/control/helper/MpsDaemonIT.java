// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.control.helper;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.control.Answer;
import io.gpuagent.control.Caller;
import io.gpuagent.control.ControlPort;
import io.gpuagent.control.Outcome;
import io.gpuagent.control.RefusalCode;
import io.gpuagent.control.Request;
import io.gpuagent.control.direct.AuditLines;
import io.gpuagent.control.wire.HelperPort;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.fake.FakeMps;
import io.gpuagent.mps.supervise.DaemonWish;
import io.gpuagent.mps.supervise.StopMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A daemon's life through the helper's real program, each change by a process of its own. */
class MpsDaemonIT {
    private static final String GPU = "GPU-01234567-89ab-cdef-0123-456789abcdef";
    private static final Share HALF = Share.UNLIMITED.withThreads(ThreadPercentage.parse("50"));

    private Path folder;
    private FakeMps programs;
    private PrivilegedSocket socket;

    @BeforeEach
    void installed() throws Exception {
        // Pipe directories are short; those of JUnit are not.
        folder = Files.createTempDirectory(Path.of("/tmp"), "mps");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        programs = FakeMps.install(folder.resolve("bin"));
        List<String> command =
                new ArrayList<>(List.of("env", "PATH=" + folder.resolve("bin") + ":" + System.getenv("PATH")));
        command.addAll(StagedHelper.command(folder, System.getProperty("user.name")));
        command.replaceAll(word -> word.equals(StagedHelper.class.getName()) ? HelperMain.class.getName() : word);
        socket = PrivilegedSocket.listen(
                folder, "priv.sock", (Integer) Files.getAttribute(folder, "unix:uid"), "0600", command);
    }

    @AfterEach
    void leaveNothingBehind() throws Exception {
        perform(new Request.MpsStop("pair", StopMode.FORCE, Duration.ofSeconds(10)));
        socket.close();
        programs.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private Answer perform(Request request) {
        ControlPort port = new HelperPort(socket.path(), SystemClock.INSTANCE);
        return port.perform(request, Caller.silent());
    }

    @Test
    void aDaemonOutlivesTheHelperThatStartedItAndTheNextOneFindsIt() throws Exception {
        Answer started = perform(new Request.MpsStart(new DaemonWish("pair", List.of(GPU), HALF, false, false)));
        Answer set = perform(new Request.MpsSet("pair", Share.UNLIMITED.withThreads(ThreadPercentage.parse("25"))));
        Answer noClient = perform(new Request.MpsTerminateClient("pair", 4711));
        Answer stopped = perform(new Request.MpsStop("pair", StopMode.REFUSE, Duration.ZERO));

        assertThat(List.of(started, set, stopped))
                .allSatisfy(answer -> assertThat(answer)
                        .isInstanceOfSatisfying(
                                Answer.Done.class,
                                done -> assertThat(done.outcome()).isInstanceOf(Outcome.Changed.class)));
        assertThat(((Outcome.Changed) ((Answer.Done) set).outcome()).after()).contains("25%");
        assertThat(noClient)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_FOUND));
        assertThat(AuditLines.read(folder.resolve("log/audit.log")))
                .extracting(line -> line.get("phase") + " " + line.get("verb"))
                .containsExactly(
                        "begun mps-start",
                        "ended mps-start",
                        "begun mps-set",
                        "ended mps-set",
                        "begun mps-terminate-client",
                        "ended mps-terminate-client",
                        "begun mps-stop",
                        "ended mps-stop");
    }

    @Test
    void aDaemonThatIsNotThereIsNotFound() {
        assertThat(perform(new Request.MpsSet("pair", HALF)))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.NOT_FOUND));
    }
}
