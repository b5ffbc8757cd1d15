// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of health, each in a JVM of its own, against an agent whose GPU has had an Xid. */
@Timeout(180)
class HealthCommandsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private record Ended(int code, String out, String err) {}

    private Ended run(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--socket", folder.resolve("run/gpu-agent.sock").toString()));
        try (AgentProcess command = AgentProcess.start(folder, all.toArray(String[]::new))) {
            int code = command.awaitExit();
            return new Ended(code, command.out(), command.err());
        }
    }

    @Test
    void healthEventsAndAcknowledgementsFromTheCommandLine() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(node.get("/v1/health").json().text("state"))
                                    .contains("ok"));
            assertThat(run("health", "--exit-code").code()).isZero();

            node.driver.gpu(0).raiseXid(94);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(node.get("/v1/health").json().text("state"))
                                    .contains("degraded"));

            Ended health = run("health", "--exit-code");
            assertThat(health.code()).isEqualTo(3);
            assertThat(health.out())
                    .startsWith("node: degraded, what helps: restart_app\n")
                    .contains("Xid 94")
                    .contains("[incident 1]");
            assertThat(health.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
            assertThat(run("health").code()).isZero();
            assertThat(run("events").out()).containsPattern("GPU 0  opened  degraded  xid_94 \\[incident 1]\n");
            assertThat(run("events", "--since", "-1").code()).isEqualTo(2);

            Ended known = run("ack", "1", "--why", "job is restarted");
            assertThat(known.code()).as(known.err()).isZero();
            assertThat(known.out()).startsWith("incident 1 is acknowledged");
            assertThat(run("health", "--exit-code").code()).isZero();
            assertThat(run("ack", "77", "--why", "x").code()).isEqualTo(2);
        }
    }
}
