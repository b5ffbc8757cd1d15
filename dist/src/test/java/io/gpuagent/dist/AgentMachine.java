// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import io.gpuagent.mps.control.ControlProgram;
import io.gpuagent.mps.fake.FakeMps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;

/**
 * A machine with the agent as a package lays it out, one GPU and stand-ins for the driver's programs. Users: the package's
 * {@code gpu-agent}, {@code alice} and {@code bob}, and {@code reader}, who is in the group {@code gpu-agent}.
 */
final class AgentMachine implements AutoCloseable {
    static final String GPU = "GPU-5c3d1a2b-89ab-4def-8123-456789abcdef";
    static final String DAEMON = "gpu-5c3d1a2b";
    static final String MPS_UNIT = "gpu-agent-mps@" + DAEMON + ".service";
    static final String AGENT_UNIT = "gpu-agent.service";
    static final Path PIPE = Path.of("/run/gpu-agent/mps/" + DAEMON + "/pipe");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String LIBRARY = "/usr/lib/gpu-agent";
    private static final String JAVA = LIBRARY + "/jre";
    private static final String FAKE = "/opt/fake";
    private static final String NVML = "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1";

    final BootedSystem system;
    final FakeMps fake;
    private int clients;

    private AgentMachine(BootedSystem system, FakeMps fake) {
        this.system = system;
        this.fake = fake;
    }

    /** A machine that has booted, with its agent and the helper's socket. */
    static AgentMachine boot(String name) throws IOException {
        BootedSystem system = BootedSystem.prepare(name);
        try {
            Path java = Path.of(System.getProperty("java.home"));
            system.bindReadOnly(java, JAVA);
            layOut(system);
            makeDriver(system);
            FakeMps fake = FakeMps.install(system.path(FAKE), path -> seen(system, java, path));
            Files.createSymbolicLink(
                    system.path("/usr/bin/" + ControlProgram.NAME), Path.of(FAKE, ControlProgram.NAME));
            system.boot();
            system.run("systemctl", "start", "gpu-agent-priv.socket", AGENT_UNIT)
                    .orThrow();
            AgentMachine machine = new AgentMachine(system, fake);
            machine.awaitAgent();
            return machine;
        } catch (IOException | RuntimeException | Error e) {
            system.close();
            throw e;
        }
    }

    private static void layOut(BootedSystem system) throws IOException {
        Path target = Path.of("target");
        system.copyIn(target.resolve("lib"), LIBRARY + "/lib");
        for (String file : List.of("gpu-agent", "gpu-agent-priv", "jvm.options", "helper.options")) {
            system.copyIn(target.resolve(file), LIBRARY + "/" + file);
        }
        Files.createSymbolicLink(system.path("/usr/bin/gpu-agent"), Path.of(LIBRARY, "gpu-agent"));
        Path units = Path.of("../systemd");
        system.copyIn(units, "/usr/lib/systemd/system");
        system.copyIn(units.resolve("tmpfiles.d"), "/usr/lib/tmpfiles.d");
        system.copyIn(units.resolve("sysusers.d"), "/usr/lib/sysusers.d");
        system.write(
                "/usr/lib/sysusers.d/people.conf", "u alice 1001\nu bob 1002\nu reader 1003\nm reader gpu-agent\n");
        system.write("/usr/lib/systemd/system/" + AGENT_UNIT, """
                [Unit]
                After=dbus.service
                [Service]
                User=gpu-agent
                ExecStart=/usr/bin/gpu-agent serve
                """);
    }

    private static void makeDriver(BootedSystem system) throws IOException {
        Files.createDirectories(system.path(NVML).resolveSibling("."));
        Program.run(
                        List.of(
                                "gcc",
                                "-std=c17",
                                "-Wall",
                                "-Wextra",
                                "-Werror",
                                "-shared",
                                "-fPIC",
                                "-Wl,-soname,libnvidia-ml.so.1",
                                "-I../nvml-ffm/src/main/native",
                                "-DUUID=\"" + GPU + "\"",
                                // A folder that the helper may write to and others only read.
                                "-DMODE_FILE=\"/var/log/gpu-agent/compute-mode\"",
                                "-o",
                                system.path(NVML).toString(),
                                "src/test/native/machine-nvml.c"),
                        PATIENCE)
                .orThrow();
    }

    /** Where the machine has what the stand-ins are started with. */
    private static Path seen(BootedSystem system, Path java, Path path) {
        if (path.equals(java)) {
            return Path.of(JAVA);
        }
        if (path.equals(system.path(FAKE))) {
            return Path.of(FAKE);
        }
        String jar = FAKE + "/lib/" + path.getFileName();
        system.copyIn(path, jar);
        return Path.of(jar);
    }

    /** Waits until the agent answers on its socket, and has read the GPU. */
    void awaitAgent() {
        awaitAnswer("/v1/status", GPU);
    }

    /** Waits until what the agent answers has a text in it. */
    void awaitAnswer(String path, String text) {
        Awaitility.await(path + " to tell " + text)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    String answer = system.ask("/run/gpu-agent/gpu-agent.sock", path);
                    if (!answer.contains(text)) {
                        throw new AssertionError(answer + "\n" + system.journal(AGENT_UNIT));
                    }
                });
    }

    /** Waits until a file has a text in it. */
    void awaitLine(String file, String text) {
        Awaitility.await(text + " in " + file).atMost(PATIENCE).untilAsserted(() -> {
            String lines = system.run("cat", file).output();
            if (!lines.contains(text)) {
                throw new AssertionError(lines);
            }
        });
    }

    /** The command gpu-agent, as root. */
    Program agent(String... words) {
        String[] command = new String[words.length + 1];
        command[0] = "gpu-agent";
        System.arraycopy(words, 0, command, 1, words.length);
        return system.run(command);
    }

    /** A control command as a person would send it, and its answer. */
    String control(String command) {
        return system.run(
                        "sh",
                        "-c",
                        "echo '" + command + "' | CUDA_MPS_PIPE_DIRECTORY=" + PIPE + " " + ControlProgram.NAME)
                .orThrow()
                .strip();
    }

    /** A CUDA program of a user, in a unit of its own. */
    Client client(String user, String... variables) {
        String name = String.format(Locale.ROOT, "client-%d", ++clients);
        String states = "/run/" + name;
        List<String> command = new ArrayList<>(List.of(
                "systemd-run",
                "--quiet",
                "--collect",
                "--unit=" + name,
                "--uid=" + user,
                "--setenv=CUDA_MPS_PIPE_DIRECTORY=" + PIPE,
                "--property=StandardOutput=truncate:" + states));
        for (String variable : variables) {
            command.add("--setenv=" + variable);
        }
        command.add(FAKE + "/fake-cuda-program");
        system.run(command.toArray(String[]::new)).orThrow();
        return new Client(name + ".service", states);
    }

    /** A CUDA program that runs. */
    final class Client {
        private final String unit;
        private final String states;

        private Client(String unit, String states) {
            this.unit = unit;
            this.states = states;
        }

        /** Its state, multiprocessors and limit of memory in bytes: the newest line that it wrote. */
        String state() {
            return system.run("tail", "--lines=1", states).output().strip();
        }

        void awaitState(String state) {
            Awaitility.await(unit).atMost(PATIENCE).untilAsserted(() -> {
                if (!state().startsWith(state)) {
                    throw new AssertionError(
                            unit + " is \"" + state() + "\" and not " + state + "\n" + system.journal(unit));
                }
            });
        }

        long pid() {
            return Long.parseLong(system.property(unit, "MainPID"));
        }

        void end() {
            system.run("systemctl", "kill", "--signal=SIGKILL", unit);
        }
    }

    /** Ends all CUDA programs that run. */
    void endClients() {
        system.run("systemctl", "kill", "--signal=SIGKILL", "client-*.service");
    }

    @Override
    public void close() throws IOException {
        system.close();
    }
}
