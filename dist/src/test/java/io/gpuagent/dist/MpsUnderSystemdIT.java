// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.dist;

import static io.gpuagent.dist.AgentMachine.AGENT_UNIT;
import static io.gpuagent.dist.AgentMachine.DAEMON;
import static io.gpuagent.dist.AgentMachine.MPS_UNIT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** An agent that is not root, the root helper, and daemons in units of a systemd that runs. */
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class MpsUnderSystemdIT {
    private static AgentMachine machine;

    @BeforeAll
    static void boot() throws IOException {
        machine = AgentMachine.boot("mps");
    }

    @AfterAll
    static void powerOff() throws IOException {
        machine.close();
    }

    @AfterEach
    void noDaemonIsLeft() {
        machine.agent("mps", "stop", DAEMON, "--force", "--yes");
    }

    private static void start(String... more) {
        String[] words = new String[more.length + 4];
        System.arraycopy(new String[] {"mps", "start", "0", "--yes"}, 0, words, 0, 4);
        System.arraycopy(more, 0, words, 4, more.length);
        machine.agent(words).orThrow();
    }

    @Test
    void anAgentWithoutRightsStartsADaemonInAUnitOfItsOwn() {
        start("--threads", "25%", "--memory", "8GiB");

        assertThat(machine.system.property(MPS_UNIT, "ActiveState")).isEqualTo("active");
        assertThat(machine.system.property(AGENT_UNIT, "User")).isEqualTo("gpu-agent");
        assertThat(machine.control("get_default_active_thread_percentage")).isEqualTo("25.0");
        assertThat(machine.control("get_default_device_pinned_mem_limit 0")).isEqualTo("8G");
    }
}
