// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonValue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** MPS over the control socket, with simulated daemons behind it. */
@Timeout(120)
class MpsApiIT {
    private static final String DAEMONS = "/v1/mps/daemons";

    @TempDir
    Path folder;

    private ServedMps node;
    private String id;

    @BeforeEach
    void start() throws Exception {
        node = ServedMps.start("h200x2", folder);
        id = "gpu-" + node.uuid(0).substring(4, 12);
        await().atMost(ServedMps.PATIENCE).until(() -> node.page().contains("gpu_cuda_cores"));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private JsonValue daemon() throws Exception {
        return node.get(DAEMONS + "/" + id).json();
    }

    private void startDaemon(String share) throws Exception {
        ServedMps.Answer started = node.post(DAEMONS, "{\"target\": \"0\", \"share\": " + share + "}");
        assertThat(started.status()).as(started.body()).isEqualTo(200);
    }

    private void awaitClients(int count) {
        await().atMost(ServedMps.PATIENCE)
                .until(() -> daemon().items("clients").orElse(List.of()).size() == count);
    }

    @Test
    void aDaemonIsStartedSetAndStoppedAndEachChangeIsReadBack() throws Exception {
        startDaemon("{\"threads\": \"60%\"}");

        assertThat(daemon().text("state")).contains("idle");
        assertThat(daemon().number("in_force", "threads_percent")).contains(60.0);
        assertThat(daemon().items("devices").orElseThrow().getFirst().number("gpu"))
                .contains(0.0);

        ServedMps.Answer set =
                node.post(DAEMONS + "/0/set", "{\"share\": {\"threads\": \"25%\", \"memory\": \"8GiB\"}}");

        assertThat(set.status()).as(set.body()).isEqualTo(200);
        assertThat(set.json().truth("dry_run")).contains(false);
        assertThat(daemon().number("in_force", "threads_percent")).contains(25.0);
        assertThat(daemon().number("in_force", "memory_bytes")).contains((double) (8L << 30));

        assertThat(node.post(DAEMONS + "/" + id + "/stop", "{}").status()).isEqualTo(200);
        assertThat(daemon().text("state")).contains("absent");
    }

    @Test
    void aDryRunSaysWhomItReachesAndChangesNothing() throws Exception {
        startDaemon("{\"threads\": \"60%\"}");
        long pid = node.join(id, "python3");
        awaitClients(1);

        ServedMps.Answer plan = node.post(DAEMONS + "/0/set", "{\"share\": {\"threads\": \"25%\"}, \"dry_run\": true}");

        assertThat(plan.json().text("effect", "reach")).contains("new_clients");
        JsonValue staying = plan.json().items("effect", "staying").orElseThrow().getFirst();
        assertThat(staying.number("pid")).contains((double) pid);
        assertThat(staying.number("multiprocessors")).contains(78.0);
        assertThat(daemon().number("in_force", "threads_percent")).contains(60.0);
    }

    @Test
    void aClientThatWasThereKeepsItsLimitsAndThePageCountsIt() throws Exception {
        startDaemon("{\"threads\": \"60%\"}");
        node.join(id, "before");
        awaitClients(1);
        node.post(DAEMONS + "/0/set", "{\"share\": {\"threads\": \"25%\"}}");
        node.join(id, "after");
        awaitClients(2);

        List<JsonValue> clients = node.get(DAEMONS + "/" + id + "/clients")
                .json()
                .items("clients")
                .orElseThrow();

        assertThat(clients)
                .extracting(client -> client.number("multiprocessors").orElseThrow())
                .containsExactlyInAnyOrder(78.0, 32.0);
        await().atMost(ServedMps.PATIENCE)
                .untilAsserted(() -> assertThat(node.page())
                        .contains("gpu_mps_control_up{mps=\"" + id + "\"} 1.0")
                        .contains("gpu_mps_clients{mps=\"" + id + "\"} 2.0")
                        .contains("gpu_mps_clients_on_old_limits{mps=\"" + id + "\"} 1.0")
                        .contains(
                                "gpu_mps_active_thread_ratio{level=\"default\",mps=\"" + id + "\",server=\"\"} 0.25"));
    }

    @Test
    void aStopWithClientsIsRefusedUnlessForced() throws Exception {
        startDaemon("{}");
        node.join(id, "python3");
        awaitClients(1);

        ServedMps.Answer refused = node.post(DAEMONS + "/0/stop", "{}");
        ServedMps.Answer forced = node.post(DAEMONS + "/0/stop", "{\"mode\": \"force\", \"deadline_seconds\": 15}");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("in_use");
        assertThat(forced.status()).as(forced.body()).isEqualTo(200);
        assertThat(forced.json().items("effect", "breaking").orElseThrow()).hasSize(1);
    }

    @Test
    void aClientIsTerminatedAndItsNeighboursAreNamed() throws Exception {
        startDaemon("{}");
        long victim = node.join(id, "victim");
        long neighbour = node.join(id, "neighbour");
        awaitClients(2);

        ServedMps.Answer done = node.post(DAEMONS + "/0/terminate-client", "{\"pid\": " + victim + "}");

        assertThat(done.status()).as(done.body()).isEqualTo(200);
        assertThat(done.json().items("effect", "breaking").orElseThrow())
                .extracting(client -> client.number("pid").orElseThrow().longValue())
                .containsExactlyInAnyOrder(victim, neighbour);
    }

    @Test
    void aDaemonThatWasGivenUpOnIsStartedAgainWithItsLimits() throws Exception {
        startDaemon("{\"threads\": \"60%\"}");
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            JsonValue seen = daemon();
            seen.number("pid").ifPresent(pid -> node.machine().kill(pid.longValue()));
            return seen.text("state").equals(Optional.of("crashloop"));
        });

        ServedMps.Answer plan = node.post(DAEMONS + "/0/resume", "{\"dry_run\": true}");
        ServedMps.Answer done = node.post(DAEMONS + "/0/resume", "{}");

        assertThat(plan.json().text("effect", "sentence").orElseThrow()).startsWith("it is started again");
        assertThat(done.status()).as(done.body()).isEqualTo(200);
        assertThat(done.json().text("before")).contains("crashloop");
        assertThat(daemon().number("in_force", "threads_percent")).contains(60.0);
        assertThat(node.post(DAEMONS + "/0/resume", "{}").code()).isEqualTo("in_use");
    }

    @Test
    void theStepsOfAChangeComeBeforeItsAnswer() throws Exception {
        ServedMps.Answer started = node.post(DAEMONS, "{\"target\": \"0\"}");

        assertThat(started.head())
                .startsWith("HTTP/1.1 103 ")
                .containsIgnoringCase("progress: starting the MPS daemon " + id);
    }

    @Test
    void aGroupServesSeveralGpusUnderItsName() throws Exception {
        ServedMps.Answer started = node.post(DAEMONS, "{\"name\": \"pair\", \"targets\": [\"0\", \"1\"]}");

        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(node.get(DAEMONS + "/1").json().text("id")).contains("pair");
        assertThat(node.post(DAEMONS, "{\"target\": \"0\", \"name\": \"other\"}")
                        .code())
                .isEqualTo("in_use");
    }

    @Test
    void anEnvironmentOfADaemonThatDoesNotRunOrAllowsLessSaysSo() throws Exception {
        startDaemon("{\"threads\": \"25%\"}");
        node.post(DAEMONS + "/0/stop", "{}");

        JsonValue environment = node.get("/v1/mps/env?target=0&threads=50").json();

        assertThat(environment.items("notes").orElseThrow())
                .extracting(note -> note.text().orElseThrow())
                .anyMatch(note -> note.contains("does not run now"))
                .anyMatch(note -> note.contains("gives 25% of the multiprocessors at most"));
    }

    @Test
    void anEnvironmentNamesThePipeAndTheVisibleDevicesAlone() throws Exception {
        startDaemon("{}");

        JsonValue environment =
                node.get("/v1/mps/env?target=0&format=docker&memory=4GiB").json();

        assertThat(environment.text("variables", "CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"))
                .contains("0=4096M");
        assertThat(environment.text("variables", "CUDA_VISIBLE_DEVICES")).contains(node.uuid(0));
        assertThat(environment.text("text").orElseThrow()).contains("--ipc=host\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /v1/mps/daemons | {"target": "0", "shre": {}}                        | 400 | bad_request | there is no member "shre"
            /v1/mps/daemons | {"target": "0", "share": {"threads": "150"}}       | 400 | bad_request | "150" is out of range
            /v1/mps/daemons | {"target": "0", "share": {"memory": "1T"}}         | 400 | bad_request | is more than the device
            /v1/mps/daemons | {"target": "0", "share": {"memory": 8}}            | 400 | bad_request | share.memory must be a string
            /v1/mps/daemons | {"target": "0", "name": "gpu-1e6775c2"}            | 400 | bad_request | the name "gpu-1e6775c2" begins like the id of a single device's daemon: choose one that does not begin with gpu- or mig-
            /v1/mps/daemons | {"target": "0", "targets": ["1"]}                  | 400 | bad_request | a daemon for several GPUs is a group: give it a name
            /v1/mps/daemons | {"target": "0", "dry_run": "yes"}                  | 400 | bad_request | dry_run must be true or false
            /v1/mps/daemons | {"target": "9"}                                    | 404 | not_found   | there is no GPU "9"
            /v1/mps/daemons | {"targets": ["0", "1"]}                            | 400 | bad_request | give it a name
            /v1/mps/daemons | {}                                                 | 400 | bad_request | no GPU or MIG device is named
            /v1/mps/daemons | [1]                                                | 400 | bad_request | no JSON object
            /v1/mps/daemons | {"target": "0"                                     | 400 | bad_request | no JSON
            /v1/mps/daemons/none/set | {"share": {"threads": "10%"}}             | 404 | not_found   | there is no MPS daemon "none"
            /v1/mps/daemons/0/set    | {"share": {"threads": "10%"}}             | 404 | not_found   | has no MPS daemon
            /v1/mps/daemons/0/turn   | {}                                        | 404 | not_found   | there is nothing at
            """)
    void badInputIsAnsweredWithOneSentenceAndAStableCode(
            String path, String body, int status, String code, String sentence) throws Exception {
        ServedMps.Answer answer = node.post(path, body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.head()).contains("application/problem+json");
        assertThat(answer.code()).isEqualTo(code);
        assertThat(answer.detail()).contains(sentence);
    }

    @Test
    void aPipePathThatIsTooLongIsRefusedBeforeAnythingIsMade() throws Exception {
        Path deep = folder.resolve("a".repeat(Math.max(1, 60 - folder.toString().length())));
        try (ServedMps other = ServedMps.start("h200", deep)) {
            await().atMost(ServedMps.PATIENCE).until(() -> other.page().contains("gpu_cuda_cores"));
            ServedMps.Answer answer = other.post(DAEMONS, "{\"name\": \"" + "g".repeat(32) + "\", \"target\": \"0\"}");

            assertThat(answer.code()).as(answer.body()).isEqualTo("bad_request");
            assertThat(answer.detail()).contains("it may have 85 at most");
            assertThat(Files.exists(deep.resolve("run/mps/" + "g".repeat(32)))).isFalse();
        }
    }

    @Test
    void methodsThatAreNotThereAreNamedWithThoseThatAre() throws Exception {
        assertThat(node.get(DAEMONS + "/0/stop").status()).isEqualTo(405);
        assertThat(node.get(DAEMONS + "/0/stop").head()).contains("allow: POST");
        assertThat(node.post("/v1/mps/env", "{}").status()).isEqualTo(405);
    }

    @Test
    void aBodyThatIsTooLargeIsAnsweredOverTheSocket() throws Exception {
        String answer = new UnixHttp(node.socket)
                .exchange("POST " + DAEMONS + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 300000\r\n\r\n"
                        + "x".repeat(300_000));

        assertThat(answer).startsWith("HTTP/1.1 413 ").contains("body_too_large");
        assertThat(node.get(DAEMONS).status()).isEqualTo(200);
    }
}
