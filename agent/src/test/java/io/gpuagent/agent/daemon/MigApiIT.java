// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gpuagent.agent.api.json.JsonValue;
import io.gpuagent.nvml.sim.Hang;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plans and operations over the socket of a daemon, whose pollers, port, executor and binding are the real ones. */
@Timeout(120)
class MigApiIT {
    private static final String[] BUSY = {"3g.71gb@4", "1g.18gb@0", "1g.18gb@1", "1g.18gb@2", "1g.18gb@3"};
    private static final String[] WANTED = {"3g.71gb", "2g.35gb", "1g.18gb", "1g.18gb"};
    // nvml.h: NVML_ERROR_INSUFFICIENT_RESOURCES
    private static final int INSUFFICIENT_RESOURCES = 23;
    private static final int TRAINING = 5900001;

    @TempDir
    Path folder;

    @Test
    void aRepartitionKeepsTheBusyInstanceItsIdItsUuidAndItsProcess() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder, BUSY)) {
            JsonValue before = instance(node, "3g.71gb");
            node.run(TRAINING, id(before));
            node.adopt();

            JsonValue plan = node.plan(WANTED);
            assertThat(plan.text("state")).contains("change");
            ServedMig.Answer begun = node.apply(plan);

            assertThat(begun.status()).isEqualTo(202);
            assertThat(begun.head()).contains("location: /v1/operations/op-");
            assertThat(node.ended(begun).text("state")).contains("done");
            assertThat(node.mig().layout()).hasSize(4);
            assertThat(instance(node, "3g.71gb").at("compute_instances")).isEqualTo(before.at("compute_instances"));
            assertThat(instance(node, "3g.71gb").number("gpu_instance_id")).isEqualTo(before.number("gpu_instance_id"));
            assertThat(node.get("/v1/gpus/0/mig/holders").body()).contains("process " + TRAINING + " runs on it");
        }
    }

    @Test
    void thePollersTakeTheGpuUpAgainBehindAChange() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            node.ended(node.apply(node.plan("3g.71gb", "3g.71gb")));

            assertThat(node.get("/v1/gpus/0/mig").json().items("instances").orElseThrow())
                    .hasSize(2);
            await().untilAsserted(() -> assertThat(
                            node.get("/v1/status").json().items("gpus").orElseThrow())
                    .hasSize(2)
                    .allSatisfy(gpu -> {
                        assertThat(gpu.text("state")).contains("ok");
                        assertThat(gpu.at("readings", "name", "value")).isPresent();
                    }));
        }
    }

    @Test
    void aForeignChangeBetweenPlanAndApplyIsRefusedAndSaysWhatChanged() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder, "1g.18gb@0")) {
            node.adopt();
            JsonValue plan = node.plan("7g.141gb");
            ServedMig.cut(node.mig(), "2g.35gb@4");

            JsonValue end = node.ended(node.apply(plan));

            assertThat(end.text("state")).contains("refused");
            assertThat(end.text("sentence").orElseThrow())
                    .matches("GPU 0 has changed since the plan was made: GPU instance \\d+ \\(2g.35gb at 4\\) is new;"
                            + " nothing was touched; plan again");
            assertThat(node.mig().layout()).hasSize(2);
        }
    }

    @Test
    void aClientThatStartsBetweenPlanAndApplyKeepsItsInstance() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder, "1g.18gb@0")) {
            node.adopt();
            JsonValue plan = node.plan("7g.141gb");
            node.run(TRAINING, id(instance(node, "1g.18gb")));

            JsonValue end = node.ended(node.apply(plan));

            assertThat(end.text("state")).contains("refused");
            assertThat(end.text("sentence").orElseThrow())
                    .contains("(1g.18gb at 0) is busy: process " + TRAINING + " runs on it; nothing was touched");
            assertThat(node.mig().layout()).hasSize(1);
        }
    }

    @Test
    void aClientThatStartsInTheMiddleHasTheChangeRolledBack() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder, "1g.18gb@0", "1g.18gb@1")) {
            node.adopt();
            List<String> before = node.mig().layout();
            JsonValue plan = node.plan("7g.141gb");
            node.driver.gpu(0).answer("nvmlGpuInstanceDestroy", 19);

            JsonValue end = node.ended(node.apply(plan));

            assertThat(end.text("state")).contains("rolled-back");
            assertThat(node.mig().layout()).hasSameSizeAs(before);
        }
    }

    @Test
    void ofTwoWhoApplyOnePlanTheSecondIsRefused() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            JsonValue plan = node.plan(WANTED);
            Hang hang = node.driver.gpu(0).hang("nvmlDeviceCreateGpuInstanceWithPlacement");
            ServedMig.Answer first = node.apply(plan);
            ServedMig.Answer second = node.apply(plan);
            assertThat(node.operation(second.text("operation", "id")).text("state"))
                    .contains("queued");
            hang.release();

            assertThat(node.ended(first).text("state")).contains("done");
            JsonValue refused = node.ended(second);
            assertThat(refused.text("state")).contains("refused");
            assertThat(refused.text("sentence").orElseThrow()).contains("GPU 0 has changed since the plan was made");
        }
    }

    @Test
    void oneThatIsCalledOffLeavesTheLayoutAsItWas() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder, "1g.18gb@0")) {
            node.adopt();
            JsonValue plan = node.plan("3g.71gb", "3g.71gb");
            Hang hang = node.driver.gpu(0).hang("nvmlGpuInstanceDestroy");
            ServedMig.Answer begun = node.apply(plan);
            String id = begun.text("operation", "id");
            await().until(() -> node.get("/v1/operations/" + id).body().contains("destroy GPU instance"));

            assertThat(node.delete("/v1/operations/" + id).status()).isEqualTo(202);
            hang.release();

            assertThat(node.ended(begun).text("state")).contains("cancelled");
            assertThat(node.mig().layout()).hasSize(1).first().asString().contains("1g.18gb");
        }
    }

    @Test
    void stopsAtTheFirstGpuThatFailsAndTellsWhatStands() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            node.driver.gpu(1).mig().setMode(true);
            String layout = """
                    {version: 1, gpus: [{match: {model: '*H200*'}, mig: [3g.71gb, 3g.71gb]}]}""";
            JsonValue plan =
                    node.post("/v1/plans", "{\"layout\": \"" + layout + "\"}").json();
            node.driver.gpu(1).answer("nvmlGpuInstanceCreateComputeInstanceWithPlacement", INSUFFICIENT_RESOURCES);
            node.driver.gpu(1).answer("nvmlGpuInstanceCreateComputeInstance", INSUFFICIENT_RESOURCES);

            JsonValue end = node.ended(node.apply(plan));

            assertThat(end.text("state")).contains("rolled-back");
            assertThat(end.text("sentence").orElseThrow())
                    .startsWith("GPU 1: ")
                    .endsWith("; done before and left so: GPU 0");
            assertThat(node.driver.gpu(0).mig().layout()).hasSize(2);
            assertThat(node.driver.gpu(1).mig().layout()).isEmpty();
        }
    }

    @Test
    void withoutMigModeNothingIsBegunAndTheCommandIsNamed() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            JsonValue plan = node.post("/v1/plans", "{\"gpu\": \"1\", \"profiles\": [\"3g\"]}")
                    .json();

            assertThat(plan.text("state")).contains("impossible");
            ServedMig.Answer refused = node.apply(plan);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("code")).isEqualTo("impossible");
            assertThat(refused.text("detail"))
                    .isEqualTo("GPU 1: MIG mode is off on GPU 1; turn it on with gpu-agent mig enable 1");
        }
    }

    @Test
    void aLayoutTurnsTheModeOnWhereItSaysSo() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            String layout = "{version: 1, gpus: [{match: {index: 1}, mig-mode: on, mig: [4g.71gb, 3g.71gb]}]}";
            JsonValue plan =
                    node.post("/v1/plans", "{\"layout\": \"" + layout + "\"}").json();

            assertThat(plan.text("text").orElseThrow()).startsWith("GPU 1, NVIDIA H200: MIG mode is turned on first.");
            assertThat(node.ended(node.apply(plan)).text("state")).contains("done");
            assertThat(node.driver.gpu(1).mig().layout()).hasSize(2);
        }
    }

    @Test
    void theExportOfANodeWantsNothing() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder, "2g.35gb@0", "1g.35gb@2")) {
            node.mig().create("3g.71gb", 4, "1c.3g.71gb", "2c.3g.71gb");
            String layout = node.get("/v1/layout").text("layout");

            JsonValue plan = node.post(
                            "/v1/plans",
                            "{\"layout\": \"" + layout.replace("\n", "\\n").replace("\"", "\\\"") + "\"}")
                    .json();

            assertThat(layout)
                    .contains("{profile: 1g.35gb, start: 2}")
                    .contains("compute: [{profile: 1c.3g.71gb, start: ");
            assertThat(plan.text("state")).as(layout).contains("no_change");
        }
    }

    @Test
    void aBadLayoutIsToldWithAllItsMistakesAndTheGpusOwnNames() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            ServedMig.Answer refused = node.post(
                    "/v1/plans",
                    "{\"file\": \"node.yaml\", \"layout\": \"version: 1\\ngpus:\\n- match: {index: 0}\\n  mig:\\n"
                            + "  - 3g.40gb\\n  - 1g\\n  - {profile: 2g.35gb, start: 3}\\n\"}");

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("code")).isEqualTo("bad_layout");
            List<JsonValue> problems = refused.json().items("problems").orElseThrow();
            assertThat(problems)
                    .extracting(problem -> problem.number("line").orElseThrow().intValue())
                    .containsExactly(5, 6, 7);
            assertThat(problems.getFirst().text("right").orElseThrow())
                    .contains("7g.141gb")
                    .contains("1g.18gb+me");
            assertThat(problems.get(1).text("what").orElseThrow()).contains("can be several profiles");
            assertThat(problems.get(2).text("right").orElseThrow()).isEqualTo("it can at 0, 2, 4");
        }
    }

    @Test
    void aFileOfMigPartedNeedsConsentToSwitchTheMode() throws Exception {
        try (ServedMig node = ServedMig.start("h200x2", folder)) {
            String file =
                    "version: v1\\nmig-configs:\\n  balanced:\\n  - devices: all\\n    device-filter: '0x233510DE'\\n"
                            + "    mig-enabled: true\\n    mig-devices: {'1g.18gb': 2, '2g.35gb': 1, '3g.71gb': 1}\\n";
            String body = "{\"layout\": \"" + file + "\", \"config\": \"balanced\"";

            JsonValue without = node.post("/v1/plans", body + "}").json();
            JsonValue with = node.post("/v1/plans", body + ", \"mode\": true}").json();

            assertThat(without.items("gpus").orElseThrow().get(1).text("reason"))
                    .contains("the file wants MIG mode of GPU 1 on, and it is off; add --mode to have it switched");
            assertThat(with.text("state")).contains("change");
            assertThat(node.ended(node.apply(with)).text("state")).contains("done");
            assertThat(node.driver.gpu(1).mig().layout()).hasSize(4);
        }
    }

    @Test
    void theLastChangeIsTakenBack() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            node.ended(node.apply(node.plan(WANTED)));
            assertThat(node.get("/v1/gpus/0/mig/history")
                            .json()
                            .items("changes")
                            .orElseThrow())
                    .hasSize(1);

            JsonValue back = node.post("/v1/plans", "{\"gpu\": \"0\", \"rollback\": true}")
                    .json();

            assertThat(node.ended(node.apply(back)).text("state")).contains("done");
            assertThat(node.mig().layout()).isEmpty();
        }
    }

    @Test
    void whatCannotBeMeantIsToldByItsCode() throws Exception {
        try (ServedMig node = ServedMig.start("h200", folder)) {
            assertThat(code(node.get("/v1/plans/plan-00000000"))).isEqualTo("404 not_found");
            assertThat(code(node.get("/v1/operations/op-00000000"))).isEqualTo("404 not_found");
            assertThat(code(node.get("/v1/gpus/9/mig"))).isEqualTo("404 not_found");
            assertThat(code(node.get("/v1/gpus/0/migs"))).isEqualTo("404 not_found");
            assertThat(code(node.post("/v1/plans", "{}"))).isEqualTo("400 bad_request");
            assertThat(code(node.post("/v1/plans", "{\"gpu\": \"0\", \"profiles\": [\"9g\"]}")))
                    .isEqualTo("400 bad_request");
            assertThat(code(node.post("/v1/operations", "{\"action\": \"burn\", \"gpu\": \"0\"}")))
                    .isEqualTo("400 bad_request");
            assertThat(code(node.post("/v1/operations", "{\"action\": \"repair\", \"gpu\": \"0\"}")))
                    .isEqualTo("404 not_found");
            assertThat(code(node.delete("/v1/plans"))).isEqualTo("405 method_not_allowed");
        }
    }

    private static String code(ServedMig.Answer answer) {
        return answer.status() + " " + answer.text("code");
    }

    private static JsonValue instance(ServedMig node, String profile) throws Exception {
        return node.get("/v1/gpus/0/mig").json().items("instances").orElseThrow().stream()
                .filter(instance -> instance.text("profile").equals(Optional.of(profile)))
                .findFirst()
                .orElseThrow();
    }

    private static int id(JsonValue instance) {
        return instance.number("gpu_instance_id").orElseThrow().intValue();
    }
}
