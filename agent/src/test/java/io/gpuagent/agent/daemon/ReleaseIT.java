// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.nvml.sim.Hang;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** NVML let go of, so that a reset or a driver upgrade can run, and taken up again. */
@Timeout(120)
class ReleaseIT {
    private static final String PATH = "/v1/release";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private static void awaitInUse(ServedMig node) {
        await().atMost(PATIENCE).until(() -> node.driver.sessions() > 0);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.get("/v1/status").json().text("driver", "state"))
                        .contains("up"));
    }

    @Test
    void nvmlIsShutDownAndStatusAndVerdictSaySoUntilItIsTakenUpAgain() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            assertThat(node.driver.sessions()).isPositive();
            assertThat(node.get(PATH).json().truth("released")).contains(false);

            ServedMig.Answer answer = node.post(PATH, "{\"seconds\": 600, \"why\": \"driver upgrade\"}");

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(node.driver.sessions()).isZero();
            JsonValue state = node.get(PATH).json();
            assertThat(state.truth("released")).contains(true);
            assertThat(state.text("why").orElseThrow()).matches("asked by uid [0-9]+: driver upgrade");
            assertThat(Instant.parse(state.text("until").orElseThrow())).isAfter(Instant.now());
            await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> {
                assertThat(node.get("/v1/status").json().text("driver", "reason"))
                        .contains("released");
                JsonValue health = node.get("/v1/health").json();
                assertThat(health.text("state")).contains("unknown");
                assertThat(health.items("reasons").orElseThrow())
                        .anySatisfy(reason -> assertThat(reason.text("code")).contains("released"));
            });

            assertThat(node.delete(PATH).status()).isEqualTo(200);
            awaitInUse(node);
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> assertThat(node.get("/v1/health").json().text("state"))
                                    .contains("ok"));
            assertThat(node.delete(PATH).status()).isEqualTo(404);
        }
    }

    @Test
    void itIsTakenUpAgainByItselfAfterTheTime() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            assertThat(node.post(PATH, "{\"seconds\": 1}").status()).isEqualTo(200);

            awaitInUse(node);
            assertThat(node.get(PATH).json().truth("released")).contains(false);
        }
    }

    @Test
    void askedAgainItSetsTheTimeAnew() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            node.post(PATH, "{\"seconds\": 2}");
            ServedMig.Answer longer = node.post(PATH, "{\"seconds\": 7200}");

            assertThat(Instant.parse(longer.text("until")))
                    .isAfter(Instant.now().plusSeconds(7000));
            assertThat(node.driver.sessions()).isZero();
            // Behind the end of the first one.
            await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
            assertThat(node.driver.sessions()).isZero();
        }
    }

    @Test
    void aCallThatHangsKeepsNvmlAndTheAnswerNamesIt() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            Hang hang = node.driver.gpu(1).hang("nvmlDeviceGetEnforcedPowerLimit");
            hang.awaitHeld(1);

            ServedMig.Answer answer = node.post(PATH, "{\"seconds\": 60}");

            assertThat(answer.status()).as(answer.body()).isEqualTo(409);
            assertThat(answer.text("code")).isEqualTo("not_quiesced");
            assertThat(answer.text("detail")).contains("of GPU 1 has not returned");
            assertThat(node.driver.sessions()).isPositive();
            assertThat(node.get(PATH).json().truth("released")).contains(false);
        }
    }

    @Test
    void aCommandRunsMeanwhileAndItsExitCodeIsTheOneOfRelease() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            String socket = folder.resolve("run/gpu-agent.sock").toString();
            try (AgentProcess command = AgentProcess.start(
                    folder, "release", "--socket", socket, "--", "sh", "-c", "echo in between; exit 7")) {
                assertThat(command.awaitExit()).as(command.err()).isEqualTo(7);
                assertThat(command.out()).isEqualTo("in between\n");
            }
            awaitInUse(node);
        }
    }

    @Test
    void aCommandThatOutlivesTheTimeKeepsItsExitCode() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            String socket = folder.resolve("run/gpu-agent.sock").toString();
            try (AgentProcess command = AgentProcess.start(
                    folder, "release", "--for", "1s", "--socket", socket, "--", "sh", "-c", "sleep 3; exit 7")) {
                assertThat(command.awaitExit()).as(command.err()).isEqualTo(7);
                assertThat(command.err()).contains("NVML is not let go of");
            }
            awaitInUse(node);
        }
    }
}
