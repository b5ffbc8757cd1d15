// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "gpu_info, gpu_info",
        "*, gpu_info",
        "gpu_*, gpu_energy_joules_total",
        "*_total, gpu_energy_joules_total",
        "gpu_*_total, gpu_energy_joules_total",
        "gpu_*_*_total, gpu_energy_joules_total",
        "gpu_pcie_link_?idth, gpu_pcie_link_width",
        "*info*, gpu_info",
        "**, gpu_info",
        "gpu_*o, gpu_oo",
    })
    void fits(String pattern, String name) {
        assertThat(new NamePattern(pattern).fits(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "gpu_info, gpu_infos",
        "gpu_info, GPU_INFO",
        "gpu, gpu_info",
        "*_total, gpu_energy_joules",
        "gpu_?, gpu_",
        "gpu_*_total, gpu_total",
    })
    void doesNotFit(String pattern, String name) {
        assertThat(new NamePattern(pattern).fits(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpu info", "gpu_[a-z]*", "gpu-*", "gpu_*{gpu=\"0\"}", "gpu.*"})
    void whatNoNameCanHaveIsNoPattern(String text) {
        assertThat(NamePattern.isPattern(text)).isFalse();
        assertThatThrownBy(() -> new NamePattern(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void manyStarsCostNoTime() {
        NamePattern pattern = new NamePattern("*a".repeat(200) + "b");
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () -> assertThat(pattern.fits("a".repeat(5000))).isFalse());
    }
}
