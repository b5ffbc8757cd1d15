// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.host.HostView;
import io.gpuagent.model.PinnedMemoryLimit;
import io.gpuagent.model.Share;
import io.gpuagent.model.ThreadPercentage;
import io.gpuagent.model.time.SystemClock;
import io.gpuagent.mps.DaemonFolders;
import io.gpuagent.mps.PipeDirectory;
import io.gpuagent.mps.fake.FakeClient;
import io.gpuagent.mps.fake.FakeMps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract over real processes, and what only those can show. */
class ProcessTransportIT extends ControlContract {
    private static final String UUID = "GPU-00000000-0000-0000-0000-000000000001";

    @TempDir
    Path folder;

    private final Map<Long, FakeClient> programs = new HashMap<>();
    private FakeMps fake;
    private DaemonFolders folders;
    private Process daemon;

    @BeforeEach
    void start() throws IOException {
        fake = FakeMps.install(folder.resolve("bin"));
        folders = new DaemonFolders(new PipeDirectory(folder.resolve("pipe")), folder.resolve("log"));
        // Root's, whoever runs the tests.
        Map<String, String> environment = new HashMap<>(FakeMps.asUser(0));
        environment.put(MpsEnvironment.VISIBLE_DEVICES, UUID);
        daemon = fake.startDaemon(folders, environment);
    }

    @AfterEach
    void end() {
        fake.close();
    }

    private ProcessTransport transport(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(MpsEnvironment.ofCommand(fake.host(), folders));
        environment.putAll(more);
        return new ProcessTransport(fake.program(), environment, SystemClock.INSTANCE);
    }

    @Override
    ControlClient client(int uid) {
        return open(transport(FakeMps.asUser(uid)));
    }

    private static ControlClient open(ControlTransport transport) {
        return ControlClient.open(transport, 1, CommandObserver.NONE, SystemClock.INSTANCE)
                .orThrow();
    }

    @Override
    long join(Map<String, String> environment) {
        try {
            FakeClient client = fake.startClient(folders, 0, environment);
            client.awaitState("RUNNING");
            programs.put(client.pid(), client);
            return client.pid();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void killClient(long pid) {
        programs.get(pid).process().destroyForcibly();
        ControlClient client = client(0);
        await().until(() -> client.processes().orThrow().stream().noneMatch(row -> row.pid() == pid));
    }

    @Override
    String got(long pid) {
        FakeClient client = programs.get(pid);
        if (!daemon.isAlive()) {
            client.awaitState("RPC_FAILURE");
        }
        return client.state();
    }

    @Override
    void killDaemon() {
        daemon.destroyForcibly().onExit().join();
    }

    @Test
    void theFilesOfADaemonHaveTheModesThatWereCaptured() throws IOException {
        Map<String, String> modes = Map.of(
                PipeDirectory.CONTROL, "rw-rw-rw-",
                PipeDirectory.CONTROL_LOCK, "rw-rw-rw-",
                PipeDirectory.CONTROL_PRIVILEGED, "rwxr-xr-x",
                PipeDirectory.LOG, "rwxrwxrwx",
                PipeDirectory.PID_FILE, "rw-rw-rw-");
        for (Map.Entry<String, String> mode : modes.entrySet()) {
            Path file = folders.pipe().file(mode.getKey());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .as(mode.getKey())
                    .isEqualTo(mode.getValue());
        }
        assertThat(Files.readString(folders.pipe().file(PipeDirectory.PID_FILE)))
                .isEqualTo(Long.toString(daemon.pid()));
    }

    @Test
    void procShowsTheDaemonAndItsServerAsTheRealOnes() throws IOException {
        join(Map.of());
        long server = client(0).servers().orThrow().getFirst();

        assertThat(proc(daemon.pid(), "comm")).isEqualTo("nvidia-cuda-mps\n");
        assertThat(proc(daemon.pid(), "cmdline").split("\0", -1)[0])
                .isEqualTo(fake.program().path().toString());
        assertThat(proc(daemon.pid(), "environ"))
                .contains("CUDA_MPS_PIPE_DIRECTORY=" + folders.pipe().path() + "\0");
        assertThat(proc(server, "comm")).isEqualTo("nvidia-cuda-mps\n");
        assertThat(Path.of(proc(server, "cmdline").split("\0", -1)[0]).getFileName())
                .hasToString("nvidia-cuda-mps-server");
        assertThat(proc(server, "environ"))
                .contains("CUDA_MPS_PIPE_DIRECTORY=" + folders.pipe().path() + "\0");
    }

    private static String proc(long pid, String file) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(pid), file), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aSecondDaemonInTheSameFolderIsRefusedAndTheFirstGoesOn() throws Exception {
        Process second = new ProcessBuilder(fake.program().path().toString(), "-d")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("CUDA_MPS_PIPE_DIRECTORY must be set");
        assertThat(second.waitFor()).isEqualTo(1);

        ProcessBuilder builder = new ProcessBuilder(fake.program().path().toString(), "-d");
        builder.environment().putAll(MpsEnvironment.ofCommand(fake.host(), folders));
        Process third = builder.start();
        assertThat(new String(third.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("An instance of this daemon is already running\n");
        assertThat(third.waitFor()).isEqualTo(1);
        assertThat(client(0).servers().orThrow()).isEmpty();
    }

    @Test
    void aDaemonInTheBackgroundAnswersWhenItsStarterIsGone() throws Exception {
        killDaemon();
        ProcessBuilder builder = new ProcessBuilder(fake.program().path().toString(), "-d");
        builder.environment().putAll(MpsEnvironment.ofCommand(fake.host(), folders));

        assertThat(builder.start().waitFor()).isZero();

        assertThat(client(0).servers().orThrow()).isEmpty();
        client(0).quit(Duration.ZERO).orThrow();
        assertThat(leftOver()).containsExactlyInAnyOrder("control", "control_lock", "control_privileged");
    }

    @Test
    void aSignalLeavesAllFilesAndANewDaemonStartsOverThem() throws IOException {
        daemon.destroy();
        daemon.onExit().join();

        assertThat(leftOver()).containsExactlyInAnyOrderElementsOf(PipeDirectory.FILES);
        daemon = fake.startDaemon(folders, Map.of());
        assertThat(client(0).servers().orThrow()).isEmpty();
    }

    private List<String> leftOver() throws IOException {
        try (var files = Files.list(folders.pipe().path())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void ofTheShareInADaemonsEnvironmentAllButTheMemoryIsInForceBeforeTheFirstClient() throws IOException {
        killDaemon();
        Share share =
                Share.UNLIMITED.withThreads(ThreadPercentage.parse("50%")).withMemory(PinnedMemoryLimit.parse("8GiB"));
        daemon = fake.startDaemon(folders, MpsEnvironment.ofDaemon(fake.host(), folders, List.of(UUID), share));

        assertThat(got(join(Map.of()))).isEqualTo("RUNNING 66 unlimited");
    }

    // k8s-device-plugin #1614: servers died with status 1 under a stripped environment.
    @Test
    void aDaemonWithoutAPathHasServersThatDieAgainAndAgain() throws IOException {
        killDaemon();
        ProcessBuilder builder = new ProcessBuilder(
                "/usr/bin/env", "-u", "PATH", fake.program().path().toString(), "-f");
        builder.environment().putAll(MpsEnvironment.ofCommand(fake.host(), folders));
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folders.controlLog().toFile()));
        Process stripped = builder.start();
        try {
            await().until(() -> client(0).servers().value().isPresent());
            fake.startClient(folders, 1000, Map.of());
            await().untilAsserted(() -> assertThat(Files.readAllLines(folders.controlLog()))
                    .filteredOn(line -> line.endsWith("exited with status 1"))
                    .hasSizeGreaterThan(3));
        } finally {
            stripped.destroyForcibly();
        }
    }

    @Test
    void killingTheServerBreaksItsClientsAndTheNextOneHasTheDefaults() {
        ControlClient client = client(0);
        long first = join(Map.of());
        long server = client.servers().orThrow().getFirst();
        client.limits(server).setThreads(ThreadPercentage.parse("25%")).orThrow();

        ProcessHandle.of(server).orElseThrow().destroyForcibly();

        programs.get(first).awaitState("RPC_FAILURE");
        await().until(() -> client.servers().orThrow().isEmpty());
        assertThat(client.processes().refusal()).contains(Refusal.NO_SUCH_SERVER);
        assertThat(got(join(Map.of()))).isEqualTo("RUNNING 132 unlimited");
    }

    @Test
    void theServerOfADaemonThatWasKilledGoesWithItUnlessItIsAnOrphan() throws IOException {
        join(Map.of());
        ProcessHandle server =
                ProcessHandle.of(client(0).servers().orThrow().getFirst()).orElseThrow();
        killDaemon();
        await().until(() -> !server.isAlive());

        fake.set("orphans", "true");
        daemon = fake.startDaemon(folders, Map.of());
        join(Map.of());
        ProcessHandle orphan =
                ProcessHandle.of(client(0).servers().orThrow().getFirst()).orElseThrow();
        killDaemon();
        try {
            await().during(Duration.ofMillis(300)).until(orphan::isAlive);
        } finally {
            orphan.destroyForcibly();
        }
    }

    @Test
    void aCommandThatNeverReturnsIsKilledAtItsDeadline() throws IOException {
        fake.set("hang", "get_server_list");

        assertThat(transport(Map.of()).send("get_server_list", Duration.ofSeconds(1)))
                .isEqualTo(new Exchange.TimedOut(Duration.ofSeconds(1)));
        await().until(() -> ProcessHandle.current().children().noneMatch(child -> child.pid() != daemon.pid()));
    }

    @Test
    void anAnswerWithoutEndIsCut() throws IOException {
        Path endless = script("yes 0123456789 | head -c 200000");

        assertThat(plain(endless).send("get_server_list", Duration.ofSeconds(10)))
                .isInstanceOfSatisfying(Exchange.Completed.class, completed -> {
                    assertThat(completed.output()).hasSize(ControlTransport.MOST_OUTPUT);
                    assertThat(completed.cut()).isTrue();
                });
    }

    @Test
    void aProgramThatFillsItsErrorsFirstIsStillRead() throws IOException {
        Path noisy = script("yes warning | head -c 200000 >&2; echo 42");

        assertThat(plain(noisy).send("get_server_list", Duration.ofSeconds(10)))
                .isInstanceOfSatisfying(
                        Exchange.Completed.class,
                        completed -> assertThat(completed.output()).isEqualTo("42\n"));
    }

    // dra-driver-nvidia-gpu PR #1143: a driver 580 without a default asked for CUDA_MPS_PIPE_DIRECTORY.
    @Test
    void aCommandGetsItsEnvironmentAndNothingElse() throws IOException {
        HostView host = new HostView(Path.of("/"), Map.of("PATH", "/usr/bin:/bin", "HOME", "/root", "LANG", "C"), 0);
        Path printing = script("exec /usr/bin/env");
        ProcessTransport transport = new ProcessTransport(
                new ControlProgram(printing), MpsEnvironment.ofCommand(host, folders), SystemClock.INSTANCE);

        Exchange exchange = transport.send("get_server_list", Duration.ofSeconds(10));

        assertThat(((Exchange.Completed) exchange).output().lines())
                .filteredOn(line -> !line.matches("(PWD|SHLVL|_)=.*"))
                .containsExactlyInAnyOrder(
                        "PATH=/usr/bin:/bin",
                        "CUDA_MPS_PIPE_DIRECTORY=" + folders.pipe().path(),
                        "CUDA_MPS_LOG_DIRECTORY=" + folders.log(),
                        "CUDA_MPS_PROTOCOL_VERSION=2");
    }

    @Test
    void aChildThatKeepsTheOutputOpenHoldsNobodyUp() throws IOException {
        Path leaving = script("sleep 30 & echo $!");

        Exchange exchange = plain(leaving).send("get_server_list", Duration.ofSeconds(10));

        String child = ((Exchange.Completed) exchange).output().strip();
        ProcessHandle sleeping = ProcessHandle.of(Long.parseLong(child)).orElseThrow();
        assertThat(sleeping.isAlive()).isTrue();
        sleeping.destroyForcibly();
    }

    // dra-driver-nvidia-gpu #469, PR #889: chroot failed to run command 'sh'.
    @Test
    void noShellIsNeeded() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        HostView host = new HostView(Path.of("/"), Map.of("PATH", empty.toString()), 0);
        ControlClient client = open(
                new ProcessTransport(fake.program(), MpsEnvironment.ofCommand(host, folders), SystemClock.INSTANCE));

        assertThat(client.servers().orThrow()).isEmpty();
    }

    @Test
    void aProgramThatIsNotThereIsSaidToBeSo() {
        Answer<ControlClient> answer =
                ControlClient.open(plain(folder.resolve("missing")), 1, CommandObserver.NONE, SystemClock.INSTANCE);

        assertThat(answer.refusal()).contains(Refusal.NOT_RUN);
        assertThat(ControlProgram.find(fake.host())).contains(fake.program());
        assertThat(ControlProgram.find(new HostView(Path.of("/"), Map.of("PATH", folder.toString()), 0)))
                .isEmpty();
    }

    @Test
    void twoCommandsOnOneStandardInputLoseTheFirstAnswerAndAreThereforeNotSent() {
        assertThat(transport(Map.of()).send("get_server_list\nps", Duration.ofSeconds(10)))
                .isInstanceOf(Exchange.NotRun.class);
    }

    @Test
    void aCommandTakesLessThanHalfASecond() {
        ProcessTransport transport = transport(Map.of());
        transport.send("get_server_list", Duration.ofSeconds(10));

        Duration fastest = Duration.ofSeconds(10);
        for (int i = 0; i < 5; i++) {
            Exchange exchange = transport.send("get_server_list", Duration.ofSeconds(10));
            Duration took = ((Exchange.Completed) exchange).took();
            fastest = took.compareTo(fastest) < 0 ? took : fastest;
        }
        System.out.println("a command of the fake takes " + fastest.toMillis() + " ms at best");
        assertThat(fastest).isLessThan(Duration.ofMillis(500));
    }

    private Path script(String body) throws IOException {
        Path script = folder.resolve("script");
        Files.writeString(script, "#!/bin/bash\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }

    private ProcessTransport plain(Path program) {
        return new ProcessTransport(
                new ControlProgram(program), MpsEnvironment.ofCommand(HostView.real(), folders), SystemClock.INSTANCE);
    }
}
