// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.nvml;

import static io.gpuagent.nvml.internal.ClockLayouts.nvmlClockOffset_v1_t;
import static io.gpuagent.nvml.internal.ClockLayouts.nvmlDevicePerfModes_v1_t;
import static io.gpuagent.nvml.internal.ClockLayouts.nvmlGpuDynamicPstatesInfo_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlDevicePowerMizerModes_v1_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlGpuThermalSettings_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlMarginTemperature_v1_t;
import static io.gpuagent.nvml.internal.PowerLayouts.nvmlWorkloadPowerProfileProfilesInfo_v1_t;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clocks, power, heat and firmware, where an answer needs more than to be read. */
class SettingsTest {
    private final FakeLibrary library = new FakeLibrary();
    private final Gpu gpu = FakeGpu.of(library);

    @Test
    void offsetsAndMarginsMayBeNegative() {
        library.with("nvmlDeviceGetClockOffsets", arguments -> {
                    Struct offset = FakeGpu.struct(nvmlClockOffset_v1_t, arguments[1]);
                    offset.set("clockOffsetMHz", -1);
                    offset.set("minClockOffsetMHz", -500 - offset.s32("pstate"));
                    offset.set("maxClockOffsetMHz", 1000 + offset.s32("type"));
                    return 0;
                })
                .with("nvmlDeviceGetMarginTemperature", arguments -> {
                    FakeGpu.struct(nvmlMarginTemperature_v1_t, arguments[1]).set("marginTemperature", -1);
                    return 0;
                });

        assertThat(gpu.clockOffsets().of(Clocks.Domain.MEMORY, 8).orThrow())
                .isEqualTo(new ClockOffsets.Offset(-1, new ClockOffsets.Range(-508, 1002)));
        assertThat(gpu.thermal().margin().orThrow()).isEqualTo(-1);
    }

    @Test
    void performanceStatesEndWhereTheDriverKnowsNoMore() {
        library.with("nvmlDeviceGetSupportedPerformanceStates", arguments -> {
            for (int i = 0; i < arguments[2] / Integer.BYTES; i++) {
                FakeGpu.write(arguments[1] + (long) i * Integer.BYTES, i == 0 ? 2 : i == 1 ? 0 : 32);
            }
            return 0;
        });

        assertThat(gpu.performanceStates().supported().orThrow()).containsExactly(2, 0);
    }

    @Test
    void levelsAreTakenApart() {
        library.with("nvmlDeviceGetPerformanceModes", arguments -> {
            FakeGpu.struct(nvmlDevicePerfModes_v1_t, arguments[1])
                    .part("str")
                    .setString(0, "perf=0, nvclock=345, memTransferRate=4402 ; perf=1, nvclock=1980 ; ");
            return 0;
        });

        assertThat(gpu.performanceStates().levels().orThrow())
                .isEqualTo(List.of(
                        Map.of("perf", "0", "nvclock", "345", "memTransferRate", "4402"),
                        Map.of("perf", "1", "nvclock", "1980")));
    }

    @Test
    void domainsThatAreNotThereAreLeftOut() {
        library.with("nvmlDeviceGetDynamicPstatesInfo", arguments -> {
            MemorySegment domains =
                    FakeGpu.struct(nvmlGpuDynamicPstatesInfo_t, arguments[1]).part("utilization");
            FakeGpu.write(domains.address() + 16, 1, 23, 90, 10);
            FakeGpu.write(domains.address() + 5 * 16, 1, 7, 0, 0);
            return 0;
        });

        assertThat(gpu.utilization().domains().orThrow())
                .containsExactly(
                        new Utilization.DomainLoad(Coded.of(1, Utilization.Domain.class), 23, 90, 10),
                        new Utilization.DomainLoad(Coded.of(5, Utilization.Domain.class), 7, 0, 0));
    }

    @Test
    void sensorsAreAsManyAsCountedAndNoMoreThanFit() {
        library.with("nvmlDeviceGetThermalSettings", arguments -> {
            Struct settings = FakeGpu.struct(nvmlGpuThermalSettings_t, arguments[2]);
            settings.set("count", arguments[1] == 15 ? 4 : 0);
            FakeGpu.write(settings.part("sensor").address(), 1, -40, 127, 57, 1, -1, 0, 0, 0, -1);
            return 0;
        });

        assertThat(gpu.thermal().sensors().orThrow())
                .hasSize(3)
                .startsWith(
                        new Sensor(
                                Coded.of(1, Sensor.Controller.class), Coded.of(1, Sensor.Target.class), -40, 127, 57),
                        new Sensor(Coded.of(-1, Sensor.Controller.class), Coded.of(-1, Sensor.Target.class), 0, 0, 0));
    }

    @Test
    void profilesStandAtTheirIndices() {
        library.with("nvmlDeviceWorkloadPowerProfileGetProfilesInfo", arguments -> {
            Struct info = FakeGpu.struct(nvmlWorkloadPowerProfileProfilesInfo_v1_t, arguments[1]);
            // Bits 1 and 40.
            FakeGpu.write(info.part("perfProfilesMask").address(), 1 << 1, 1 << 8);
            FakeGpu.write(info.part("perfProfile").address() + 44, 0, 6, 3, 0, 1 << 8);
            FakeGpu.write(info.part("perfProfile").address() + 40 * 44, 0, 99, 1);
            return 0;
        });
        BitSet conflicts = new BitSet();
        conflicts.set(40);

        assertThat(gpu.workloadProfiles().available().orThrow())
                .containsExactly(
                        new WorkloadProfiles.Profile(1, Coded.of(6, WorkloadProfiles.Kind.class), 3, conflicts),
                        new WorkloadProfiles.Profile(40, Coded.of(99, WorkloadProfiles.Kind.class), 1, new BitSet()));
    }

    @Test
    void powerMizerModesAreBits() {
        library.with("nvmlDeviceGetPowerMizerMode_v1", arguments -> {
            Struct modes = FakeGpu.struct(nvmlDevicePowerMizerModes_v1_t, arguments[1]);
            modes.set("currentMode", 2);
            modes.set("supportedPowerMizerModes", 0b0111);
            return 0;
        });

        Power.PowerMizer powerMizer = gpu.power().powerMizer().orThrow();

        assertThat(powerMizer.current().known()).hasValue(Power.PowerMizer.Mode.AUTO);
        assertThat(powerMizer.supports(Power.PowerMizer.Mode.ADAPTIVE)).isTrue();
        assertThat(powerMizer.supports(Power.PowerMizer.Mode.CONSISTENT_PERFORMANCE))
                .isFalse();
    }

    @Test
    void firstFanOfAnOlderDriverHasASpeedToo() {
        library.with("nvmlDeviceGetFanSpeed", arguments -> {
            FakeGpu.write(arguments[1], 42);
            return 0;
        });

        assertThat(gpu.fans().speed(0).orThrow()).isEqualTo(42);
        assertThat(gpu.fans().speed(1))
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceGetFanSpeed_v2, NvmlReturn.FUNCTION_NOT_FOUND));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "14, false"})
    void corruptedInforomIsAnAnswer(int code, boolean isValid) {
        library.with("nvmlDeviceValidateInforom", arguments -> code);

        assertThat(gpu.firmware().isInforomValid()).isEqualTo(new Answer.Value<>(isValid));
    }

    @Test
    void inforomThatIsNotThereIsNoAnswer() {
        library.with("nvmlDeviceValidateInforom", NvmlReturn.NOT_SUPPORTED);

        assertThat(gpu.firmware().isInforomValid())
                .isEqualTo(new Answer.Refused<>(NvmlFunction.nvmlDeviceValidateInforom, NvmlReturn.NOT_SUPPORTED));
    }
}
