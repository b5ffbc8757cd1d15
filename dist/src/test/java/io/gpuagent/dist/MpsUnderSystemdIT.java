// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import static io.gpuagent.dist.AgentMachine.AGENT_UNIT;
import static io.gpuagent.dist.AgentMachine.DAEMON;
import static io.gpuagent.dist.AgentMachine.MPS_UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** An agent that is not root, the root helper, and daemons in units of a systemd that runs. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class MpsUnderSystemdIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    // 66 of an H200's 132 multiprocessors.
    private static final String HALF_AND_8_GIB = "RUNNING 66 " + (8L << 30);

    private static final String CONTROL_LOG = "/var/log/gpu-agent/mps/" + DAEMON + "/control.log";

    private static AgentMachine machine;

    // The first machine of a checkout has its base made first, which takes half a minute on a quiet one.
    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void boot() throws IOException {
        machine = AgentMachine.boot("mps");
    }

    @AfterAll
    static void powerOff() throws IOException {
        if (machine != null) {
            machine.close();
        }
    }

    @AfterEach
    void nothingIsLeft() {
        machine.endClients();
        Program stop = machine.agent("mps", "stop", DAEMON, "--force", "--yes");
        if (!stop.output().contains("there is no MPS daemon")) {
            stop.orThrow();
        }
    }

    private static void start(String... more) {
        List<String> words = new ArrayList<>(List.of("mps", "start", "0", "--yes"));
        words.addAll(List.of(more));
        if (!words.contains("--exclusive-process")) {
            // What is not said stays as it was.
            words.add("--no-exclusive-process");
        }
        machine.agent(words.toArray(String[]::new)).orThrow();
    }

    private static void awaitState(String state) {
        awaitDaemons("\"state\": \"" + state + "\"");
    }

    private static void awaitDaemons(String text) {
        machine.awaitAnswer("/v1/mps/daemons", text);
    }

    private static void killed(String unit) {
        machine.system
                .run("systemctl", "kill", "--signal=SIGKILL", "--kill-whom=main", unit)
                .orThrow();
    }

    @Test
    void anAgentWithoutRightsStartsADaemonInAUnitOfItsOwn() {
        start("--threads", "25%", "--memory", "8GiB");

        assertThat(machine.system.property(MPS_UNIT, "ActiveState")).isEqualTo("active");
        assertThat(machine.system.property(MPS_UNIT, "ControlGroup"))
                .doesNotContain(machine.system.property(AGENT_UNIT, "ControlGroup"));
        assertThat(machine.system
                        .run("stat", "--format=%U", "/proc/" + machine.system.property(AGENT_UNIT, "MainPID"))
                        .output()
                        .strip())
                .isEqualTo("gpu-agent");
        assertThat(machine.control("get_default_active_thread_percentage")).isEqualTo("25.0");
        assertThat(machine.control("get_default_device_pinned_mem_limit 0")).isEqualTo("8G");
    }

    @Test
    void aNewShareIsReadBackAndStandsInTheEnvironmentOfTheNextStart() {
        start("--threads", "25%", "--memory", "8GiB");

        assertThat(machine.agent("mps", "set", "0", "--threads", "10%", "--memory", "4GiB", "--yes")
                        .orThrow())
                .contains("10%")
                .contains("4GiB");

        assertThat(machine.control("get_default_active_thread_percentage")).isEqualTo("10.0");
        assertThat(machine.control("get_default_device_pinned_mem_limit 0")).isEqualTo("4G");
        assertThat(machine.system
                        .run("cat", "/var/lib/gpu-agent/mps/" + DAEMON + "/environment")
                        .orThrow())
                .contains("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=10\n")
                .contains("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=4096M\n");
    }

    @Test
    void daemonAndClientsGoOnWithoutAnAgentAndTheNextOneAdoptsThem() {
        start("--threads", "50%", "--memory", "8GiB");
        AgentMachine.Client before = machine.client("alice");
        before.awaitState(HALF_AND_8_GIB);
        String daemon = machine.system.property(MPS_UNIT, "MainPID");

        killed(AGENT_UNIT);
        machine.system.awaitUnit(AGENT_UNIT, "failed", PATIENCE);
        AgentMachine.Client meanwhile = machine.client("alice");
        meanwhile.awaitState(HALF_AND_8_GIB);
        machine.system.run("systemctl", "start", AGENT_UNIT).orThrow();
        machine.awaitAgent();

        awaitState("active");
        AgentMachine.Client after = machine.client("alice");
        after.awaitState(HALF_AND_8_GIB);
        assertThat(before.state()).isEqualTo(HALF_AND_8_GIB);
        assertThat(machine.system.property(MPS_UNIT, "MainPID")).isEqualTo(daemon);
        awaitDaemons("\"pid\": " + after.pid());
        awaitDaemons("\"pid\": " + before.pid());
        awaitDaemons("\"pid\": " + meanwhile.pid());
    }

    @Test
    void theFirstClientOfADaemonThatSystemdHasStartedAgainHasItsLimits() {
        start("--threads", "50%", "--memory", "8GiB");
        String daemon = machine.system.property(MPS_UNIT, "MainPID");
        killed(AGENT_UNIT);

        killed(MPS_UNIT);
        machine.system.awaitUnit(MPS_UNIT, "auto-restart", PATIENCE);
        machine.system.awaitUnit(MPS_UNIT, "running", PATIENCE);
        AgentMachine.Client first = machine.client("alice");

        first.awaitState(HALF_AND_8_GIB);
        assertThat(machine.system.property(MPS_UNIT, "MainPID")).isNotEqualTo(daemon);
        machine.system.run("systemctl", "start", AGENT_UNIT).orThrow();
        machine.awaitAgent();
    }

    @Test
    void aLimitOfMemoryThatCannotBeSetIsToldAndEndsNobody() throws IOException {
        start("--threads", "50%", "--memory", "8GiB");
        machine.fake.set("instead", "set_default_device_pinned_mem_limit");
        try {
            killed(MPS_UNIT);
            machine.system.awaitUnit(MPS_UNIT, "auto-restart", PATIENCE);
            machine.system.awaitUnit(MPS_UNIT, "running", PATIENCE);

            assertThat(machine.system.property(MPS_UNIT, "ExecStartPost")).contains("status=1");
            machine.awaitLine(CONTROL_LOG, "the limit of memory is not in force");
            awaitDaemons("\"code\": \"mps_limits_not_in_force\"");
            machine.client("alice").awaitState("RUNNING 66 unlimited");
        } finally {
            machine.fake.unset("instead");
        }
        machine.agent("mps", "set", "0", "--memory", "8GiB", "--yes").orThrow();
        machine.client("alice").awaitState(HALF_AND_8_GIB);
    }

    @Test
    void aStopIsRefusedWhileThereAreClientsAndTheUnitLetsThemFinish() {
        start("--threads", "50%", "--memory", "8GiB");
        AgentMachine.Client client = machine.client("alice");
        client.awaitState(HALF_AND_8_GIB);
        awaitDaemons("\"pid\": " + client.pid());

        Program refused = machine.agent("mps", "stop", "0", "--yes");
        assertThat(refused.status()).as(refused.toString()).isEqualTo(1);
        assertThat(refused.output()).contains(Long.toString(client.pid())).contains("drain");

        machine.system.run("systemctl", "stop", "--no-block", MPS_UNIT).orThrow();
        machine.awaitLine(CONTROL_LOG, "waiting for clients to finish");
        assertThat(client.state()).isEqualTo(HALF_AND_8_GIB);
        client.end();

        machine.system.awaitUnit(MPS_UNIT, "inactive", PATIENCE);
        assertThat(machine.system.property(MPS_UNIT, "Result")).isEqualTo("success");
    }

    @Test
    void aDaemonThatDiesAgainAndAgainIsGivenUpAndComesBackWhenSomebodyAsks() {
        // As shipped, but for the wait before each start.
        machine.system
                .run("mkdir", "-p", "/run/systemd/system/" + MPS_UNIT + ".d")
                .orThrow();
        machine.system
                .run(
                        "sh",
                        "-c",
                        "printf '[Service]\\nRestartSec=100ms\\n' > /run/systemd/system/" + MPS_UNIT + ".d/soon.conf")
                .orThrow();
        machine.system.run("systemctl", "daemon-reload").orThrow();
        start("--threads", "50%", "--memory", "8GiB");
        for (int start = 1; start <= 5; start++) {
            killed(MPS_UNIT);
            if (start < 5) {
                machine.system.awaitUnit(MPS_UNIT, "running", PATIENCE);
            }
        }

        machine.system.awaitUnit(MPS_UNIT, "failed", PATIENCE);
        assertThat(machine.system.journal(MPS_UNIT)).contains("Start request repeated too quickly");
        awaitState("crashloop");

        start();

        awaitState("idle");
        assertThat(machine.system.property(MPS_UNIT, "ActiveState")).isEqualTo("active");
    }

    @Test
    void aSystemdThatExecutesItselfAnewKeepsDaemonAndClients() {
        start("--threads", "50%", "--memory", "8GiB");
        AgentMachine.Client client = machine.client("alice");
        client.awaitState(HALF_AND_8_GIB);
        String daemon = machine.system.property(MPS_UNIT, "MainPID");

        machine.system.run("systemctl", "daemon-reexec").orThrow();

        assertThat(machine.system.property(MPS_UNIT, "ActiveState")).isEqualTo("active");
        assertThat(machine.system.property(MPS_UNIT, "MainPID")).isEqualTo(daemon);
        assertThat(client.state()).isEqualTo(HALF_AND_8_GIB);
        machine.agent("mps", "set", "0", "--threads", "10%", "--yes").orThrow();
    }

    @Test
    void theComputeModeComesBackWithTheStopAlsoWhenTheAgentHasDiedMeanwhile() {
        start("--exclusive-process");
        assertThat(mode()).isEqualTo("3");

        killed(AGENT_UNIT);
        machine.system.awaitUnit(AGENT_UNIT, "failed", PATIENCE);
        machine.system.run("systemctl", "start", AGENT_UNIT).orThrow();
        machine.awaitAgent();
        awaitState("idle");
        machine.agent("mps", "stop", "0", "--yes").orThrow();

        assertThat(mode()).isEqualTo("0");
    }

    private static String mode() {
        return machine.system.run("cat", "/var/log/gpu-agent/compute-mode").orThrow();
    }

    @Test
    void aClientOfAnotherUserThatDropsEveryLimitOfMemoryIsNamed() {
        start("--threads", "100%", "--memory", "8GiB");

        AgentMachine.Client escaping = machine.client(
                "alice", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT=0=4G,1=4G", "CUDA_VISIBLE_DEVICES=" + AgentMachine.GPU);

        escaping.awaitState("RUNNING 132 unlimited");
        awaitDaemons("\"code\": \"mps_escape\"");
    }

    @Test
    void readersOfTheSocketCannotPutAnythingInItsPlace() {
        assertThat(as("reader", "test", "-w", "/run/gpu-agent/gpu-agent.sock").status())
                .isZero();
        for (String user : List.of("reader", "alice")) {
            for (String folder : List.of("/run/gpu-agent", "/var/lib/gpu-agent", "/var/log/gpu-agent")) {
                assertThat(as(user, "touch", folder + "/" + user).output())
                        .as(folder)
                        .contains("Permission denied");
            }
        }
        assertThat(as("alice", "test", "-w", "/run/gpu-agent/gpu-agent.sock").status())
                .isEqualTo(1);
        // What root has put there stays, whatever the agent's user does.
        assertThat(as("gpu-agent", "mv", "/run/gpu-agent/mps", "/run/gpu-agent/away")
                        .status())
                .isEqualTo(1);
    }

    private static Program as(String user, String... command) {
        List<String> words = new ArrayList<>(List.of("setpriv", "--reuid=" + user, "--regid=" + user, "--init-groups"));
        words.addAll(List.of(command));
        return machine.system.run(words.toArray(String[]::new));
    }
}
