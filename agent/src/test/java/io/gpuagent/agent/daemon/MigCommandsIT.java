// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command line against an agent with simulated GPUs, both in JVMs of their own. */
@Timeout(240)
class MigCommandsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Pattern UUID_OF_3G = Pattern.compile("2  3g\\.71gb  4-7 +0  full +(MIG-[0-9a-f-]{36})");
    private static final Pattern OPERATION = Pattern.compile("op-[0-9a-f]{8}");

    @TempDir
    Path folder;

    private AgentProcess agent;

    private void serve(String... more) throws Exception {
        int port = AgentProcess.freePort();
        agent = AgentProcess.serve(folder, port, more);
        agent.awaitReady(port);
    }

    @AfterEach
    void end() {
        agent.close();
    }

    private record Ended(int code, String out, String err) {}

    private AgentProcess command(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--socket", folder.resolve("run/gpu-agent.sock").toString()));
        return AgentProcess.start(folder, all.toArray(String[]::new));
    }

    private Ended run(String... arguments) throws Exception {
        try (AgentProcess command = command(arguments)) {
            int code = command.awaitExit();
            return new Ended(code, command.out(), command.err());
        }
    }

    @Test
    void aBusyInstanceStaysWhileTheRestIsCutUpAnew() throws Exception {
        serve("--simulate", "h200x2", "--scenario", "mig-busy");
        String uuid = uuidOf3g(run("mig", "list", "0"));

        Ended foreign = run("repartition", "0", "3g.71gb", "2g.35gb", "1g.18gb", "1g.18gb", "--yes");
        assertThat(foreign.code()).isEqualTo(4);
        assertThat(foreign.out()).contains("adopt them to have them");
        assertThat(foreign.err()).contains("what is wanted of GPU 0 cannot be reached; nothing was touched");
        assertThat(run("mig", "adopt", "0").code()).isZero();

        Ended unasked = run("repartition", "0", "3g.71gb", "2g.35gb", "1g.18gb", "1g.18gb");
        assertThat(unasked.code()).isEqualTo(2);
        assertThat(unasked.err()).contains("there is no terminal to ask at, so nothing was touched; add --yes");

        Ended done = run("repartition", "0", "3g.71gb", "2g.35gb", "1g.18gb", "1g.18gb", "--yes");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out())
                .contains("GPU instance 2 (3g.71gb at 4) is busy: process 5900001 runs on it")
                .contains("  6  create the full compute instance of GPU instance (2g.35gb at 0)")
                .containsPattern("[0-9:]{8}  GPU 0  6/6 create the full compute instance")
                .endsWith("Done: GPU 0 is as wanted.\n");
        assertThat(done.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));

        Ended after = run("mig", "list", "0");
        assertThat(uuidOf3g(after)).isEqualTo(uuid);
        assertThat(run("mig", "holders", "0").out()).contains("process 5900001 runs on it (compute instance 0)");
        assertThat(run("mig", "history", "0").out()).contains("to 2g.35gb@0, 1g.18gb@2, 1g.18gb@3, 3g.71gb@4");

        Ended back = run("mig", "rollback", "0", "--yes");
        assertThat(back.code()).as(back.err()).isZero();
        assertThat(uuidOf3g(run("mig", "list", "0"))).isEqualTo(uuid);
    }

    @Test
    void aLayoutIsPlannedAppliedExportedAndThenWantsNothing() throws Exception {
        serve("--simulate", "h200x2");
        Path layout = Files.writeString(folder.resolve("node.yaml"), """
                version: 1
                gpus:
                  - match: {index: 0}
                    mig-mode: on
                    mig:
                      - 3g.71gb
                      - {profile: 3g.71gb, compute: [1c, 2c]}
                  - match: {index: 1}
                    keep: true
                """);

        Ended off = run("repartition", "0", "3g", "--yes");
        assertThat(off.code()).isEqualTo(4);
        assertThat(off.out()).contains("MIG mode is off on GPU 0; turn it on with gpu-agent mig");

        Ended plan = run("plan", layout.toString(), "--exit-code");
        assertThat(plan.code()).as(plan.err()).isEqualTo(3);
        assertThat(plan.out()).startsWith("GPU 0, NVIDIA H200: MIG mode is turned on first.\n");
        Matcher id = Pattern.compile("gpu-agent apply (plan-[0-9a-f]{8}) carries this out")
                .matcher(plan.out());
        assertThat(id.find()).as(plan.out()).isTrue();

        Ended applied = run("apply", id.group(1), "--yes");
        assertThat(applied.code()).as(applied.err()).isZero();
        Ended again = run("apply", layout.toString(), "--yes");
        assertThat(again.code()).isZero();
        assertThat(again.out()).contains("Nothing to do: the GPU has what is wanted.");

        Path export =
                Files.writeString(folder.resolve("export.yaml"), run("export").out());
        assertThat(run("plan", export.toString(), "--exit-code").code()).isZero();

        Ended stale = run("apply", id.group(1), "--yes");
        assertThat(stale.code()).isEqualTo(1);
        assertThat(stale.err()).contains("it was refused: MIG mode of GPU 0 is on already");
    }

    @Test
    void aBadLayoutIsToldAsCompilersDo() throws Exception {
        serve("--simulate", "h200");
        Path layout = Files.writeString(folder.resolve("bad.yaml"), """
                version: 1
                gpus:
                  - match: {index: 0}
                    mig: [3g.40gb]
                  - match: {index: 4}
                    keep: true
                """);

        Ended refused = run("plan", layout.toString());

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err())
                .contains(layout + ":4:11: this GPU has no profile \"3g.40gb\"; ")
                .contains(layout + ":5:5: there is no GPU 4; this node has 0")
                .endsWith("gpu-agent: " + layout + " has 2 problems; nothing was touched\n");
    }

    @Test
    void whoeverEndsTheCommandDoesNotEndTheOperation() throws Exception {
        Path slow = Files.writeString(folder.resolve("slow.yaml"), """
                - {at: 0s, gpu: 0, do: mig-mode, on: 1}
                - {at: 0s, gpu: 0, do: delay, function: nvmlDeviceCreateGpuInstanceWithPlacement, for: 3s}
                """);
        serve("--simulate", "h200", "--scenario", slow.toString());

        String operation;
        try (AgentProcess command = command("repartition", "0", "3g.71gb", "3g.71gb", "--yes")) {
            await().atMost(PATIENCE).until(() -> command.out().contains("1/4 create GPU instance"));
            // As Ctrl-C does, but for the signal's number.
            command.process.destroy();
            command.awaitExit();
            assertThat(command.err()).contains("the agent goes on with op-").contains("gpu-agent mig cancel op-");
            Matcher id = OPERATION.matcher(command.err());
            assertThat(id.find()).isTrue();
            operation = id.group();
        }

        Ended watched = run("mig", "watch", operation);

        assertThat(watched.code()).as(watched.err()).isZero();
        assertThat(watched.out()).contains("4/4 create").contains("Done: GPU 0 is as wanted.");
        assertThat(run("mig", "watch").out()).containsPattern(operation + " +apply +0 +done");
        assertThat(run("mig", "cancel", operation).code()).isEqualTo(2);
    }

    private static String uuidOf3g(Ended list) {
        Matcher uuid = UUID_OF_3G.matcher(list.out());
        assertThat(uuid.find()).as(list.out() + list.err()).isTrue();
        return uuid.group(1);
    }
}
