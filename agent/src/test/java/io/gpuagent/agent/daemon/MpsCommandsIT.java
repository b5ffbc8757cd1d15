// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line against an agent with simulated daemons, both in JVMs of their own. */
@Timeout(240)
class MpsCommandsIT {
    @TempDir
    Path folder;

    private AgentProcess agent;

    @BeforeEach
    void serve() throws Exception {
        int port = AgentProcess.freePort();
        agent = AgentProcess.serve(folder, port, "--simulate", "h200");
        agent.awaitReady(port);
    }

    @AfterEach
    void end() {
        agent.close();
    }

    private record Ended(int code, String out, String err) {}

    private Ended mps(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("mps"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--socket", folder.resolve("run/gpu-agent.sock").toString()));
        try (AgentProcess command = AgentProcess.start(folder, all.toArray(String[]::new))) {
            int code = command.awaitExit();
            return new Ended(code, command.out(), command.err());
        }
    }

    @Test
    void aDaemonIsStartedListedSetAndStoppedFromTheCommandLine() throws Exception {
        Ended started = mps("start", "0", "--threads", "60%", "--yes");
        assertThat(started.code()).as(started.err()).isZero();
        assertThat(started.out()).contains("78 of 132 multiprocessors").contains("Done: absent -> idle");
        assertThat(mps("list").out()).containsPattern("gpu-[0-9a-f]{8} +0 +[a-z]+ +60% +- +normal +[0-9]/48 +[0-9]");

        Ended set = mps("set", "0", "--threads", "25%", "--memory", "8GiB", "--yes");
        assertThat(set.code()).as(set.err()).isZero();
        assertThat(mps("list").out()).containsPattern("gpu-[0-9a-f]{8} +0 +[a-z]+ +25% +8GiB");

        Ended environment = mps("env", "0");
        assertThat(environment.out())
                .contains("export CUDA_MPS_PIPE_DIRECTORY=" + folder.resolve("run/mps/"))
                .contains("export CUDA_VISIBLE_DEVICES=GPU-");
        assertThat(mps("stop", "0", "--force", "--yes").code()).isZero();
    }

    @Test
    void withoutATerminalNothingIsChangedUnlessYesIsSaid() throws Exception {
        Ended refused = mps("start", "0");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.out()).contains("Reaches: clients that connect from now on");
        assertThat(refused.err())
                .isEqualTo("gpu-agent: there is no terminal to ask at, so nothing was changed; add --yes to go on"
                        + " without a question\n");
        assertThat(Files.exists(folder.resolve("run/mps"))).isFalse();
    }

    @Test
    void aLimitBeyondTheCardIsRefusedWithItsSize() throws Exception {
        Ended refused = mps("start", "0", "--memory", "1T", "--yes");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains("a memory limit of 1024GiB is more than")
                .contains("143771 MiB");
    }

    @Test
    void daemonsOutliveSigtermOfTheAgentInTheirRecords() throws Exception {
        mps("start", "0", "--threads", "60%", "--yes");
        agent.process.destroy();
        assertThat(agent.awaitExit()).isZero();

        try (var records = Files.list(folder.resolve("state/mps"))) {
            assertThat(records.toList()).hasSize(1);
        }
        serve();
        assertThat(mps("list").out()).containsPattern("gpu-[0-9a-f]{8} +0 +[a-z]+ +60%");
    }
}
