// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.nvml.sim.SimulatedDriver;
import io.gpuagent.nvml.sim.SimulatedMig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A daemon on a part of a GPU: named by its UUID, limited by what that part has. Never tried on hardware. */
@Timeout(120)
class MpsOnMigIT {
    private static final String DAEMONS = "/v1/mps/daemons";

    @TempDir
    Path folder;

    private ServedMps node;
    private SimulatedMig mig;
    private List<JsonValue> computes = List.of();

    @BeforeEach
    void start() throws Exception {
        node = ServedMps.start("h200", folder, this::cutUp);
        await().atMost(ServedMps.PATIENCE).until(() -> node.page().contains("gpu_mig_instance_info"));
        computes = node
                .get("/v1/status")
                .json()
                .items("gpus")
                .orElseThrow()
                .getFirst()
                .at("readings", "mig", "value")
                .flatMap(view -> view.items("instances"))
                .orElseThrow()
                .stream()
                .flatMap(instance -> instance.items("compute_instances").orElseThrow().stream())
                .toList();
    }

    private void cutUp(SimulatedDriver driver) {
        mig = driver.gpu(0).mig();
        mig.setMode(true);
        mig.create("2g.35gb", 0, "1c.2g.35gb", "1c.2g.35gb");
        mig.create("3g.71gb", 4, "3g.71gb");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String uuid(String profile) {
        return computes.stream()
                .filter(compute -> compute.text("profile").equals(Optional.of(profile)))
                .findFirst()
                .flatMap(compute -> compute.text("uuid"))
                .orElseThrow();
    }

    private ServedMps.Answer start(String target, String share) throws Exception {
        return node.post(DAEMONS, "{\"target\": \"" + target + "\", \"share\": " + share + "}");
    }

    @Test
    void aDaemonOnAMigDeviceLimitsItsClientsToAPartOfThatPart() throws Exception {
        String uuid = uuid("3g.71gb");

        ServedMps.Answer started = start(uuid, "{\"threads\": \"50%\", \"memory\": \"8GiB\"}");

        assertThat(started.status()).as(started.body()).isEqualTo(200);
        String id = "mig-" + uuid.substring(4, 12);
        JsonValue daemon = node.get(DAEMONS + "/" + id).json();
        assertThat(daemon.items("devices").orElseThrow().getFirst().text("uuid"))
                .contains(uuid);
        assertThat(daemon.number("in_force", "threads_percent")).contains(50.0);

        long pid = node.join(id, "trainer");
        await().atMost(ServedMps.PATIENCE).until(() -> node.page().contains("gpu_mps_client_multiprocessors"));
        assertThat(node.page().lines().filter(line -> line.startsWith("gpu_mps_client_multiprocessors")))
                .as("half of the 60 multiprocessors of a 3g.71gb")
                .singleElement()
                .asString()
                .contains("pid=\"" + pid + "\"")
                .endsWith(" 30.0");
        assertThat(node.post(DAEMONS + "/" + uuid + "/stop", "{\"mode\": \"force\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void theBeginningOfAUuidIsEnoughAndSoAreTheIdsOfTheInstances() throws Exception {
        String uuid = uuid("3g.71gb");

        assertThat(start(uuid.substring(0, 9), "{}").status()).isEqualTo(200);
        assertThat(node.post(
                                DAEMONS + "/" + uuid.toUpperCase(Locale.ROOT) + "/set",
                                "{\"share\": {\"threads\": \"25%\"}}")
                        .status())
                .isEqualTo(200);

        ServedMps.Answer older = start("MIG-" + node.uuid(0) + "/3/1", "{}");
        assertThat(older.status()).as(older.body()).isEqualTo(200);
        assertThat(older.json().text("daemon").orElseThrow()).startsWith("mig-");
    }

    @Test
    void aComputeInstanceHasTheMultiprocessorsOfItsPart() throws Exception {
        ServedMps.Answer plan = node.post(
                DAEMONS,
                "{\"dry_run\": true, \"target\": \"" + uuid("1c.2g.35gb") + "\", \"share\": {\"threads\": \"50%\"}}");

        assertThat(plan.body()).contains("8 of 16 multiprocessors");
    }

    @Test
    void aMigDeviceThatIsNotThereIsRefusedBeforeAnythingIsMade() throws Exception {
        ServedMps.Answer refused = start("MIG-00000000-0000-4000-8000-000000000000", "{}");

        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.detail())
                .startsWith("there is no MIG device \"MIG-00000000-0000-4000-8000-000000000000\"; this node has ")
                .contains(uuid("3g.71gb") + " (3g.71gb of GPU 0)");
        assertThat(Files.exists(folder.resolve("run/mps"))).isFalse();
    }

    @Test
    void moreMemoryThanTheInstanceHasIsRefusedWithItsSize() throws Exception {
        ServedMps.Answer refused = start(uuid("3g.71gb"), "{\"memory\": \"100GiB\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.detail()).contains("71424 MiB");
    }
}
