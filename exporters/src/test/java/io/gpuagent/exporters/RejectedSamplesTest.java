// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.model.SampleSnapshots.TAKEN_AT_NANOS;
import static io.gpuagent.model.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.UtilizationRates;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a page cannot hold, or must not, costs that sample only. */
class RejectedSamplesTest {
    // NVIDIA/DCGM#199: a utilization of 4294967295, or of 200000.
    @ParameterizedTest
    @ValueSource(doubles = {4294967295.0, 42949672.95, 2000, -0.01, Double.NaN, Double.POSITIVE_INFINITY})
    void anImpossibleUtilizationIsLeftOutAndCounted(double ratio) {
        NodeSnapshot node = with(
                SampleSnapshots.h200(1),
                0,
                ReadingKeys.UTILIZATION,
                Reading.of(new UtilizationRates(ratio, 0.5), TAKEN_AT_NANOS));

        PageText page = PageText.of(node);

        assertThat(page.series("gpu_utilization_ratio", "engine=\"gpu\"")).isEmpty();
        assertThat(page.value("gpu_utilization_ratio", "engine=\"memory\"")).isEqualTo(0.5);
        assertThat(page.value("gpu_agent_rejected_samples", "gpu_utilization_ratio", "\"out_of_range\""))
                .isEqualTo(1);
    }

    // NVIDIA/dcgm-exporter#312: 4278190080 degrees.
    @ParameterizedTest
    @ValueSource(ints = {345, -1000, Integer.MAX_VALUE, (int) 4278190080L - 1})
    void anImpossibleTemperatureIsLeftOut(int celsius) {
        NodeSnapshot node =
                with(SampleSnapshots.h200(1), 0, ReadingKeys.TEMPERATURE_GPU, Reading.of(celsius, TAKEN_AT_NANOS));

        assertThat(PageText.of(node).series("gpu_temperature_celsius", "sensor=\"gpu\""))
                .isEmpty();
    }

    @Test
    void anAllOnesCounterIsLeftOut() {
        NodeSnapshot node = with(
                SampleSnapshots.h200(1),
                0,
                ReadingKeys.MEMORY,
                Reading.of(new MemoryUse(-1, -1, -1, OptionalLong.of(-1)), TAKEN_AT_NANOS));

        PageText page = PageText.of(node);

        assertThat(page.names()).doesNotContain("gpu_memory_bytes", "gpu_memory_size_bytes");
        assertThat(page.value("gpu_agent_rejected_samples", "\"gpu_memory_bytes\""))
                .isEqualTo(3);
    }

    @Test
    void aHealthyPageRejectsNothing() {
        assertThat(PageText.of(SampleSnapshots.h200(8)).names()).doesNotContain("gpu_agent_rejected_samples");
    }

    // NVIDIA/dcgm-exporter#728, #730: one label set twice, and the whole page was an error.
    @Test
    void theSameGpuTwiceIsCountedAndServedOnce() {
        PageText page = PageText.of(SampleSnapshots.sameGpuTwice());

        assertThat(page.series("gpu_info")).hasSize(1);
        assertThat(page.value("gpu_agent_rejected_samples", "\"gpu_utilization_ratio\"", "\"duplicate_labels\""))
                .isEqualTo(6);
    }
}
