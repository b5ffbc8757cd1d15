// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "1.50",
                "1e400",
                "\"a\\n\\u0007\\\"\"",
                "{\"b\": 1, \"a\": [1, {\"c\": null}]}"
            })
    void writesWhatItRead(String json) throws JsonShapeException {
        assertThat(PrettyJson.write(read(json))).isEqualTo(json + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[1",
                "{\"a\":}",
                "{\"a\" 1}",
                "{} {}",
                "[1,]",
                "NaN",
                "{\"a\":1,\"a\":2}",
                "<html>"
            })
    void refusesWhatIsNoJson(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(JsonShapeException.class);
    }

    @Test
    void refusesWhatIsNestedWithoutEnd() {
        assertThatThrownBy(() -> read("[".repeat(100_000))).isInstanceOf(JsonShapeException.class);
    }

    @Test
    void whatDoesNotFitOnALineHasALineForEachMember() throws JsonShapeException {
        String text = "x".repeat(60);
        String json = PrettyJson.write(
                read("{\"a\":\"" + text + "\",\"b\":[1,2],\"c\":{\"d\":\"" + text + "\",\"e\":\"" + text + "\"}}"));
        assertThat(json).isEqualTo("""
                {
                  "a": "T",
                  "b": [1, 2],
                  "c": {
                    "d": "T",
                    "e": "T"
                  }
                }
                """.replace("T", text));
    }

    private static JsonValue read(String json) throws JsonShapeException {
        return JsonReader.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
