// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What whoever sits at a terminal is asked, shown and told. */
@Timeout(180)
@EnabledIfSystemProperty(named = "gpuagent.full", matches = "true")
class MpsTerminalIT {
    private static final String QUESTION = "Go on? [y/N] ";
    private static final String CTRL_C = "\003";
    private static final String CTRL_D = "\004";
    private static final int INTERRUPTED = 130;

    @TempDir
    Path folder;

    private ServedMps node;
    private String id;

    @BeforeEach
    void serve() throws Exception {
        node = ServedMps.start("h200", folder);
        id = "gpu-" + node.uuid(0).substring(4, 12);
        await().atMost(ServedMps.PATIENCE).until(() -> node.page().contains("gpu_cuda_cores"));
    }

    @AfterEach
    void end() {
        node.close();
    }

    private Terminal mps(String term, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("mps"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--socket", node.socket.toString()));
        return Terminal.run(folder, term, all.toArray(String[]::new));
    }

    private int daemons() throws Exception {
        return node.get("/v1/mps/daemons").json().items("daemons").orElseThrow().size();
    }

    private String state() throws Exception {
        return node.get("/v1/mps/daemons/" + id).json().text("state").orElse("");
    }

    @Test
    void yesMakesTheChange() throws Exception {
        try (Terminal terminal = mps("xterm", "start", "0")) {
            terminal.awaitText(QUESTION);
            terminal.type("y\n");

            assertThat(terminal.awaitExit()).isZero();
            assertThat(terminal.screen()).contains("Done: absent -> idle");
        }
        assertThat(daemons()).isEqualTo(1);
    }

    @Test
    void noAndAnyOtherAnswerAndTheEndOfInputChangeNothing() throws Exception {
        for (String answer : List.of("n\n", "\n", "yes please\n", CTRL_D)) {
            try (Terminal terminal = mps("xterm", "start", "0")) {
                terminal.awaitText(QUESTION);
                terminal.type(answer);

                assertThat(terminal.awaitExit()).isEqualTo(1);
                assertThat(terminal.screen()).endsWith("\r\ngpu-agent: nothing was changed\r\n");
            }
        }
        assertThat(daemons()).isZero();
    }

    @Test
    void anInterruptAtTheQuestionChangesNothingAndSaysSo() throws Exception {
        try (Terminal terminal = mps("xterm", "start", "0")) {
            terminal.awaitText(QUESTION);
            terminal.type(CTRL_C);

            assertThat(terminal.awaitExit()).isEqualTo(INTERRUPTED);
            assertThat(terminal.screen()).endsWith("\r\ngpu-agent: interrupted; nothing was changed\r\n");
        }
        assertThat(daemons()).isZero();
    }

    @Test
    void theOtherClientsAtRiskAreNamedBeforeOneIsTerminated() throws Exception {
        node.post("/v1/mps/daemons", "{\"target\": \"0\"}");
        long victim = node.join(id, "victim");
        node.join(id, "neighbour");
        await().atMost(ServedMps.PATIENCE)
                .until(() -> node.get("/v1/mps/daemons/" + id).body().contains("neighbour"));

        try (Terminal terminal = mps("xterm", "terminate", "0", Long.toString(victim))) {
            terminal.awaitText(QUESTION);
            assertThat(terminal.screen())
                    .contains("These end, or can end with it:")
                    .containsPattern("[0-9]+ +neighbour ");
            terminal.type("y\n");

            assertThat(terminal.awaitExit()).isZero();
            assertThat(terminal.screen()).contains("the contexts of client " + victim + " were destroyed");
        }
        assertThat(node.get("/v1/mps/daemons/" + id).json().number("counters", "terminated_clients"))
                .contains(1.0);
    }

    @Test
    void aDrainCountsItsSecondsAndGoesOnAfterAnInterrupt() throws Exception {
        node.post("/v1/mps/daemons", "{\"target\": \"0\"}");
        long client = node.join(id, "python3");
        await().atMost(ServedMps.PATIENCE)
                .until(() -> node.get("/v1/mps/daemons/" + id).body().contains("python3"));

        try (Terminal terminal = mps("xterm", "stop", "0", "--drain", "--within", "120", "--yes")) {
            terminal.awaitText(" (2 s)");
            terminal.type(CTRL_C);

            assertThat(terminal.awaitExit()).isEqualTo(INTERRUPTED);
            assertThat(terminal.screen())
                    .contains("\rwaiting for the clients to end")
                    .endsWith(
                            "\rgpu-agent: interrupted; the agent goes on with what was asked for, and gpu-agent mps list"
                                    + " shows how far it is\r\n");
        }
        assertThat(state()).isEqualTo("draining");
        assertThat(node.get("/v1/mps/env?target=0").code()).isEqualTo("in_use");

        node.machine().leave(client);

        await().atMost(ServedMps.PATIENCE).until(() -> state().equals("absent"));
    }

    @Test
    void aDumbTerminalGetsLinesInPlaceOfOneThatIsWrittenAnew() throws Exception {
        node.post("/v1/mps/daemons", "{\"target\": \"0\"}");
        node.join(id, "python3");
        await().atMost(ServedMps.PATIENCE)
                .until(() -> node.get("/v1/mps/daemons/" + id).body().contains("python3"));

        try (Terminal terminal = mps("dumb", "stop", "0", "--drain", "--within", "4", "--yes")) {
            assertThat(terminal.awaitExit()).isEqualTo(1);
            assertThat(terminal.screen())
                    .contains("gpu-agent: waiting for the clients to end, at most 4 s")
                    .doesNotContain(" s)")
                    .doesNotContain("\033");
        }
    }
}
