// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.abi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The committed facts say what the header says. */
class AbiFactsTest {
    private static HeaderParser header;

    @BeforeAll
    static void readHeader() throws IOException {
        header = HeaderParser.ofVendoredHeader();
    }

    @Test
    void functionsAreThoseOfTheHeader() throws IOException {
        assertThat(resource("nvml-functions.json")).isEqualTo(header.functionsAsJson());
    }

    @Test
    void everyDeclaredFunctionIsRead() {
        assertThat(header.functions()).hasSize(398);
        assertThat(header.functions().get("nvmlErrorString").returns()).isEqualTo('P');
        assertThat(header.functions().get("nvmlInit_v2").kinds()).isEmpty();
        assertThat(header.functions().get("nvmlDeviceGetName").kinds()).isEqualTo("PPI");
        assertThat(header.functions().get("nvmlDeviceGetSamples").kinds()).isEqualTo("PILPPP");
        assertThat(header.functions().get("nvmlVgpuInstanceGetUUID").kinds()).isEqualTo("IPI");
        assertThat(header.functions()).containsKey("nvmlDeviceGetComputeRunningProcesses_v2");
    }

    @Test
    void everyStructOfTheHeaderIsMeasuredWithAllItsFields() throws IOException {
        Map<String, List<String>> measured = StructFacts.read(resource("nvml-structs.json"));
        header.structs().forEach((struct, members) -> {
            assertThat(measured).containsKey(struct);
            // An alias has no fields of its own.
            if (!measured.get(struct).isEmpty()) {
                assertThat(measured.get(struct)).as(struct).containsExactlyInAnyOrderElementsOf(members);
            }
        });
    }

    static String resource(String name) throws IOException {
        try (InputStream in = AbiFactsTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
