// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.nvml.abi.HeaderConstants;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FieldIdTest {
    @Test
    void fieldsAreThoseOfTheHeader() throws IOException {
        Map<String, Integer> header = HeaderConstants.ofVendoredHeader().defines("NVML_FI_");
        int max = header.remove("MAX");
        Map<String, Integer> named = new HashMap<>();
        header.forEach((name, id) -> named.put(name.replaceFirst("^DEV_", ""), id));

        Map<String, Integer> known = new HashMap<>();
        Stream.of(FieldId.values()).forEach(field -> known.put(field.name(), field.id()));

        assertThat(known).isEqualTo(named);
        assertThat(known.values()).doesNotHaveDuplicates().hasSize(max - 1);
    }

    @Test
    void secondNamesAreThoseOfTheHeader() throws IOException {
        assertThat(HeaderConstants.ofVendoredHeader().aliases("NVML_FI_DEV_"))
                .isEqualTo(Map.of(
                        "CLOCKS_EVENT_REASON_SW_POWER_CAP",
                        "NVML_FI_DEV_" + FieldId.CLOCKS_EVENT_REASON_SW_POWER_CAP,
                        "CLOCKS_EVENT_REASON_SYNC_BOOST",
                        "NVML_FI_DEV_" + FieldId.CLOCKS_EVENT_REASON_SYNC_BOOST));
    }

    @Test
    void fieldIsFoundByItsNumber() {
        assertThat(FieldId.of(230)).contains(FieldId.GET_GPU_RECOVERY_ACTION);
        assertThat(FieldId.of(301)).isEmpty();
    }
}
