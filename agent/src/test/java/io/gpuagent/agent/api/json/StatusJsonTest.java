// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.agent.api.json.JsonValue.JsonObject;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StatusJsonTest {
    private static final Path DOCUMENT = Path.of("../docs/api/status.md");
    private static final String OPEN = "```json\n";
    private static final String CLOSE = "```\n";

    @Test
    void theDocumentedExampleIsWhatIsWritten() throws Exception {
        String text = Files.readString(DOCUMENT);
        int start = text.indexOf(OPEN) + OPEN.length();
        int end = text.indexOf(CLOSE, start);
        String example = PrettyJson.write(json(SampleSnapshots.workstation()));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(DOCUMENT, text.substring(0, start) + example + text.substring(end));
            return;
        }
        assertThat(text.substring(start, end)).isEqualTo(example);
    }

    @Test
    void everyReadingIsDocumented() throws IOException {
        String text = Files.readString(DOCUMENT);
        assertThat(ReadingKeys.ALL).allSatisfy(key -> assertThat(text).contains("| `" + key.name() + "` |"));
    }

    @Test
    void everyReadingIsThereWithAValueOrAReason() throws JsonShapeException {
        for (NodeSnapshot node : List.of(
                SampleSnapshots.h200(1),
                SampleSnapshots.workstation(),
                SampleSnapshots.unresponsive(),
                SampleSnapshots.migOn(),
                SampleSnapshots.migEmpty(),
                SampleSnapshots.migForbidden())) {
            for (JsonValue gpu : json(node).items("gpus").orElseThrow()) {
                assertThat(ReadingKeys.ALL).allSatisfy(key -> {
                    boolean value = gpu.at("readings", key.name(), "value").isPresent();
                    boolean absent = gpu.text("readings", key.name(), "absent").isPresent();
                    assertThat(value).isNotEqualTo(absent);
                });
            }
        }
    }

    @Test
    void aGpuThatIsCutUpHasItsInstances() throws JsonShapeException {
        JsonValue gpu =
                json(SampleSnapshots.migOn()).items("gpus").orElseThrow().getFirst();
        JsonValue mig = gpu.at("readings", "mig", "value").orElseThrow();

        assertThat(PrettyJson.write(mig.items("instances").orElseThrow().get(2)))
                .isEqualTo("""
                        {
                          "id": 2,
                          "profile": "3g.71gb",
                          "profile_id": 9,
                          "start": 4,
                          "size": 4,
                          "slices": 3,
                          "multiprocessors": 60,
                          "memory_bytes": 74893492224,
                          "incomplete": false,
                          "compute_instances": [
                            {
                              "id": 0,
                              "profile": "3g.71gb",
                              "profile_id": 2,
                              "start": 0,
                              "size": 3,
                              "slices": 3,
                              "multiprocessors": 60,
                              "uuid": "MIG-00000002-0000-0000-0000-000000000000",
                              "index": 0
                            }
                          ]
                        }
                        """);
        assertThat(mig.items("instances").orElseThrow().getFirst().truth("incomplete"))
                .contains(true);
        assertThat(mig.items("room").orElseThrow()).hasSize(7);
        assertThat(gpu.at("readings", "mig.memory", "value")
                        .flatMap(JsonValue::items)
                        .orElseThrow()
                        .getFirst()
                        .number("memory", "value", "used_bytes"))
                .contains(42949672960.0);
    }

    @Test
    void everyMemberOfMigIsDocumented() throws Exception {
        String text = Files.readString(DOCUMENT);
        String written = new String(StatusJson.write(SampleSnapshots.migOn()), StandardCharsets.UTF_8);
        String mig = written.substring(written.indexOf("\"mig\":"), written.indexOf("\"mig.errors\":"));

        assertThat(Pattern.compile("\"([a-z_]+)\":").matcher(mig).results().map(found -> found.group(1)))
                .allSatisfy(member -> assertThat(text).containsPattern("[`.\\]]" + member + "[`\\[]"));
    }

    @Test
    void aReadingTellsHowOldItIs() throws JsonShapeException {
        JsonValue gpu =
                json(SampleSnapshots.h200(1)).items("gpus").orElseThrow().getFirst();
        assertThat(gpu.number("readings", "power.average", "age_seconds")).contains(0.25);
        assertThat(gpu.number("readings", "energy", "age_seconds")).contains(7.0);
        assertThat(gpu.at("readings", "name", "age_seconds")).isEmpty();
    }

    @Test
    void whatIsNoNumberIsAbsent() throws JsonShapeException {
        NodeSnapshot node =
                SampleSnapshots.with(SampleSnapshots.h200(1), 0, ReadingKeys.POWER_INSTANT, Reading.of(Double.NaN, 0));
        JsonValue reading = json(node)
                .items("gpus")
                .orElseThrow()
                .getFirst()
                .at("readings", "power.instant")
                .orElseThrow();
        assertThat(PrettyJson.write(reading)).isEqualTo("{\"absent\": \"out_of_range\", \"detail\": \"NaN\"}\n");
    }

    @Test
    void largeNumbersHaveNoExponent() throws JsonShapeException {
        NodeSnapshot node =
                SampleSnapshots.with(SampleSnapshots.h200(1), 0, ReadingKeys.ENERGY, Reading.of(123_456_789_012.5, 0));
        assertThat(new String(StatusJson.write(node), StandardCharsets.UTF_8)).contains("\"value\":123456789012.5");
    }

    @Test
    void aSetHasAnOrder() throws JsonShapeException {
        NodeSnapshot node = SampleSnapshots.with(
                SampleSnapshots.h200(1),
                0,
                ReadingKeys.CLOCK_REASONS,
                Reading.of(Set.of(ClockEventReason.SW_POWER_CAP, ClockEventReason.GPU_IDLE), 0));
        JsonValue reasons = json(node)
                .items("gpus")
                .orElseThrow()
                .getFirst()
                .at("readings", "clock_reasons", "value")
                .orElseThrow();
        assertThat(PrettyJson.write(reasons)).isEqualTo("[\"gpu_idle\", \"sw_power_cap\"]\n");
    }

    @Test
    void whatWasWrittenIsReadAgain() throws JsonShapeException {
        NodeStatus up = NodeStatus.of(json(SampleSnapshots.unresponsive()));
        assertThat(up.agentVersion()).isEqualTo("0.1.0");
        assertThat(up.simulated()).isTrue();
        assertThat(up.driver()).isEqualTo(SampleSnapshots.unresponsive().driver());
        assertThat(up.gpus()).extracting(NodeStatus.GpuStatus::state).containsExactly("ok", "unresponsive");
        assertThat(up.gpus().get(1).detail()).contains("nvmlDeviceGetPowerUsage has not returned for 120 s.");
        assertThat(up.gpus().get(0).number("temperature.gpu")).contains(35.0);
        assertThat(NodeStatus.of(json(SampleSnapshots.driverDown())).driver())
                .isEqualTo(SampleSnapshots.driverDown().driver());
    }

    @Test
    void aNewerAgentsAdditionsArePassedOver() throws JsonShapeException {
        JsonObject newer = ((JsonObject) json(SampleSnapshots.driverDown()))
                .with("more", new JsonValue.JsonNull())
                .with("driver", JsonReader.read("""
                        {"state": "down", "reason": "eaten", "explanation": "A dog ate it.", "more": {}}""".getBytes(StandardCharsets.UTF_8)));
        assertThat(NodeStatus.of(newer).driver())
                .isEqualTo(new DriverState.Down(DriverState.Reason.FAILED, "A dog ate it.", null));
    }

    @Test
    void anotherShapeIsRefused() throws JsonShapeException {
        JsonObject status = (JsonObject) json(SampleSnapshots.h200(1));
        assertThatThrownBy(() -> NodeStatus.of(status.with("version", new JsonValue.JsonNumber("2"))))
                .hasMessage("it has the shape of version 2 and this command knows version 1");
        assertThatThrownBy(() -> NodeStatus.of(status.with("driver", new JsonValue.JsonNull())))
                .hasMessage("it has no driver.state");
        assertThatThrownBy(() -> NodeStatus.of(new JsonValue.JsonNumber("1"))).hasMessage("it has no version");
    }

    @Test
    void absentMembersAreEmpty() throws JsonShapeException {
        JsonValue json = json(SampleSnapshots.h200(1));
        assertThat(json.text("version")).isEmpty();
        assertThat(json.number("gpus", "index")).isEqualTo(Optional.empty());
        assertThat(json.truth("agent")).isEmpty();
        assertThat(json.items("agent")).isEmpty();
    }

    private static JsonValue json(NodeSnapshot node) throws JsonShapeException {
        return JsonReader.read(StatusJson.write(node));
    }
}
