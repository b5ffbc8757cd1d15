// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml.sim.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpuagent.nvml.sim.Abi;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureListTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvmlInit_v2",
                "nvmlShutdown",
                "nvmlDeviceSetPersistenceMode",
                "nvmlDeviceClearEccErrorCounts",
                "nvmlDeviceResetGpuLockedClocks",
                "nvmlDeviceCreateGpuInstance",
                "nvmlGpuInstanceDestroy",
                "nvmlDeviceModifyDrainState",
                "nvmlDeviceRemoveGpu_v2",
                "nvmlDeviceReadWritePRM_v1",
                "nvmlDeviceFreezeNvLinkUtilizationCounter",
                "nvmlDevicePowerSmoothingActivatePresetProfile",
                "nvmlDeviceWorkloadPowerProfileSetRequestedProfiles",
                "nvmlDeviceRegisterEvents",
                "nvmlGpmSetStreamingEnabled",
                "nvmlVgpuInstanceClearAccountingPids"
            })
    void functionThatMayChangeSomethingIsRefused(String function) {
        assertThat(Abi.get().functions()).containsKey(function);
        assertThat(CaptureEntry.onlyReads(function)).isFalse();
        assertThatThrownBy(() -> CaptureEntry.parse(function))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("may change something and is never captured");
    }

    @Test
    void listCannotBeWrongUnseen() {
        assertThatThrownBy(() -> CaptureEntry.parse("nvmlDeviceGetNonsense"))
                .hasMessage("nvmlDeviceGetNonsense is not a function of nvml.h");
        assertThatThrownBy(() -> CaptureEntry.parse("nvmlDeviceGetTemperature"))
                .hasMessage("nvmlDeviceGetTemperature lacks a value for sensorType");
        assertThatThrownBy(() -> CaptureEntry.parse("nvmlDeviceGetTemperature sensor=0"))
                .hasMessage("nvmlDeviceGetTemperature has no parameter sensor");
    }

    @Test
    void everyFunctionThatReadsIsAskedOrLeftOutForAReason() throws IOException {
        Set<String> reading = Abi.get().functions().keySet().stream()
                .filter(CaptureEntry::onlyReads)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> asked = CaptureList.get().entries().values().stream()
                .flatMap(List::stream)
                .map(entry -> entry.function().name())
                .collect(Collectors.toCollection(TreeSet::new));
        List<String[]> leftOut = leftOut();
        assertThat(leftOut).allSatisfy(line -> assertThat(line).hasSize(2));
        Set<String> both = leftOut.stream().map(line -> line[0]).collect(Collectors.toCollection(TreeSet::new));
        assertThat(both).as("left out and asked").doesNotContainAnyElementsOf(asked);
        both.addAll(asked);

        assertThat(both).containsExactlyElementsOf(reading);
    }

    private static List<String[]> leftOut() throws IOException {
        try (InputStream in = CaptureListTest.class.getResourceAsStream("not-captured.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split("\t", -1))
                    .toList();
        }
    }
}
