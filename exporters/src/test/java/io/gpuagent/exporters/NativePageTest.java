// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.model.SampleSnapshots.TAKEN_AT_NANOS;
import static io.gpuagent.model.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.Absence;
import io.gpuagent.model.DriverState;
import io.gpuagent.model.GpuProcess;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.ProcessType;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import io.gpuagent.model.Tier;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativePageTest {
    private static final String GPU_0 = "gpu=\"0\"";
    private static final String GPU_1 = "gpu=\"1\"";

    @Nested
    class Absent {
        // NVIDIA/gpu-monitoring-tools#97, guilbaults/slurm-job-exporter#30, #53: a blank of 9223372036854775794 as a
        // value.
        @Test
        void aReadingWithoutAValueHasNoSeries() {
            PageText page = PageText.of(SampleSnapshots.workstation());

            assertThat(page.names())
                    .doesNotContain(
                            "gpu_ecc_errors_total",
                            "gpu_ecc_lifetime_errors_total",
                            "gpu_ecc_mode_enabled",
                            "gpu_row_remap_pending",
                            "gpu_mig_enabled",
                            "gpu_energy_joules_total");
            assertThat(page.series("gpu_temperature_celsius")).hasSize(1);
            assertThat(page.series("gpu_power_watts", "instant")).isEmpty();
            assertThat(page.series("gpu_utilization_ratio", "engine=\"gpu\"")).isEmpty();
        }

        @Test
        void isCountedByReason() {
            PageText page = PageText.of(SampleSnapshots.workstation());

            assertThat(page.value("gpu_agent_absent_readings", "\"not_supported\""))
                    .isEqualTo(21);
            assertThat(page.value("gpu_agent_absent_readings", "\"out_of_range\""))
                    .isEqualTo(1);
            assertThat(page.value("gpu_agent_absent_readings", "\"not_available\""))
                    .isEqualTo(1);
            assertThat(page.value("gpu_agent_absent_readings", "\"no_permission\""))
                    .isEqualTo(1);
            assertThat(page.value("gpu_agent_absent_readings", "\"no_such_function\""))
                    .isEqualTo(1);
            assertThat(page.value("gpu_agent_absent_readings", "\"unresponsive\""))
                    .isZero();
        }

        @Test
        void zeroIsAValue() {
            PageText page = PageText.of(SampleSnapshots.h200(1));

            assertThat(page.value("gpu_utilization_ratio", "engine=\"gpu\"")).isZero();
            assertThat(page.value("gpu_ecc_errors_total", "severity=\"uncorrected\""))
                    .isZero();
            assertThat(page.value("gpu_processes", "type=\"compute\"")).isZero();
        }

        @Test
        void anInfoLabelWithoutAValueIsEmpty() {
            assertThat(PageText.of(SampleSnapshots.workstation()).series("gpu_info", "serial=\"\"", "board_part=\"\""))
                    .hasSize(1);
        }

        // NVIDIA/dcgm-exporter#105, #216, #430, utkuozdemir/nvidia_gpu_exporter#203: 0 for a GPU in MIG mode.
        @Test
        void migHasNoUtilizationOfTheWholeGpu() {
            PageText page = PageText.of(SampleSnapshots.migOn());

            assertThat(page.value("gpu_mig_enabled", "when=\"current\"")).isEqualTo(1);
            assertThat(page.series("gpu_utilization_ratio"))
                    .allMatch(series -> series.contains("jpeg") || series.contains("ofa"));
            assertThat(page.value("gpu_power_watts", "instant")).isEqualTo(77.8);
        }
    }

    @Nested
    class Stale {
        // NVIDIA/gpu-monitoring-tools#46, utkuozdemir/nvidia_gpu_exporter#89, #405: one GPU that hangs, and no page.
        @Test
        void aHungGpuKeepsItsIdentityAndLosesItsValues() {
            PageText page = PageText.of(SampleSnapshots.unresponsive());

            assertThat(page.series("gpu_power_watts", GPU_1)).isEmpty();
            assertThat(page.series("gpu_row_remaps", GPU_1)).isEmpty();
            assertThat(page.series("gpu_info", GPU_1)).hasSize(1);
            assertThat(page.value("gpu_device_state", GPU_1, "\"unresponsive\""))
                    .isEqualTo(1);
            assertThat(page.value("gpu_device_state", GPU_1, "\"ok\"")).isZero();
            assertThat(page.value("gpu_power_watts", GPU_0, "instant")).isEqualTo(77.8);
        }

        @Test
        void theHungCallAndTheAgeOfTheLastSuccessShow() {
            PageText page = PageText.of(SampleSnapshots.unresponsive());

            assertThat(page.value("gpu_agent_nvml_call_in_flight_seconds", "thread=\"1\"", "nvmlDeviceGetPowerUsage"))
                    .isEqualTo(120);
            double fresh = page.value("gpu_agent_poll_last_success_timestamp_seconds", GPU_0, "fast");
            double stale = page.value("gpu_agent_poll_last_success_timestamp_seconds", GPU_1, "fast");
            assertThat(fresh - stale).isEqualTo(120);
        }

        // NVIDIA/gpu-monitoring-tools#188, NVIDIA/dcgm-exporter#164: old values, served as new ones.
        @Test
        void aValueThatWasGoodOnceIsLeftOut() {
            NodeSnapshot node = SampleSnapshots.unresponsive();

            PageText page = PageText.of(node);

            assertThat(page.value("gpu_agent_absent_readings", GPU_0, "\"too_old\""))
                    .isZero();
            assertThat(page.value("gpu_agent_absent_readings", GPU_1, "\"unresponsive\""))
                    .isEqualTo((double) ReadingKeys.ALL.stream()
                            .filter(key -> key.tier() != Tier.STATIC)
                            .count());
        }

        // XuehaiPan/nvitop#106: series of processes that have ended.
        @Test
        void processesThatHaveEndedAreGone() {
            NodeSnapshot two = with(
                    SampleSnapshots.h200(1),
                    0,
                    ReadingKeys.processes(ProcessType.COMPUTE),
                    Reading.of(List.of(process(1), process(2)), TAKEN_AT_NANOS));
            NodeSnapshot one = with(
                    two,
                    0,
                    ReadingKeys.processes(ProcessType.COMPUTE),
                    Reading.of(List.of(process(2)), TAKEN_AT_NANOS));

            assertThat(PageText.of(two).value("gpu_processes", "compute")).isEqualTo(2);
            assertThat(PageText.of(one).value("gpu_processes", "compute")).isEqualTo(1);
        }
    }

    @Nested
    class Memory {
        // NVIDIA/dcgm-exporter#136, #271, rust-nvml/nvml-wrapper#57, py3nvml#25: used and free are not all.
        @Test
        void usedFreeAndReservedAddUpToTheSize() {
            PageText page = PageText.of(SampleSnapshots.h200(1));

            assertThat(page.value("gpu_memory_bytes", "used")).isZero();
            assertThat(page.value("gpu_memory_bytes", "reserved")).isEqualTo(644_939_776);
            assertThat(page.value("gpu_memory_bytes", "used")
                            + page.value("gpu_memory_bytes", "free")
                            + page.value("gpu_memory_bytes", "reserved"))
                    .isEqualTo(page.value("gpu_memory_size_bytes"));
        }

        @Test
        void reservedIsAbsentWhereOnlyTheFirstVersionOfTheCallExists() {
            assertThat(PageText.of(SampleSnapshots.workstation()).series("gpu_memory_bytes"))
                    .hasSize(2)
                    .noneMatch(series -> series.contains("reserved"));
        }
    }

    @Nested
    class Identity {
        @Test
        void everySeriesOfAGpuHasItsIndexAndUuid() {
            PageText page = PageText.of(SampleSnapshots.h200(3));

            assertThat(page.samples().keySet().stream().filter(series -> !series.startsWith("gpu_agent_")))
                    .filteredOn(series -> !series.startsWith("gpu_driver_info"))
                    .allMatch(series -> series.matches("[^{]+\\{.*gpu=\"[0-2]\".*uuid=\"GPU-[0-9-]+\".*}"));
        }

        @Test
        void aNewDriverKeysNothingAnewButItsOwnSeries() {
            NodeSnapshot before = SampleSnapshots.h200(1);
            NodeSnapshot after = new NodeSnapshot(
                    before.generation(),
                    before.takenAtNanos(),
                    before.takenAt(),
                    new DriverState.Up("590.48.01", "13.590.48.01", "13.1", "simulation h200"),
                    before.gpus(),
                    before.agent());

            assertThat(PageText.of(after).samples().keySet())
                    .filteredOn(series -> !PageText.of(before).samples().containsKey(series))
                    .containsExactly("gpu_driver_info{cuda_version=\"13.1\",driver_version=\"590.48.01\","
                            + "nvml_version=\"13.590.48.01\"}");
        }

        // Project-HAMi/HAMi#2990: "NVIDIA-NVIDIA A100".
        @ParameterizedTest
        @ValueSource(strings = {"NVIDIA H200", "Tesla T4"})
        void theNameStaysAsTheDriverGivesIt(String name) {
            NodeSnapshot node = with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of(name, TAKEN_AT_NANOS));

            assertThat(PageText.of(node).series("gpu_info", "name=\"" + name + "\""))
                    .hasSize(1);
        }

        // utkuozdemir/nvidia_gpu_exporter PR #438: a comma within a value.
        @Test
        void aNameWithSpecialCharactersIsEscaped() {
            NodeSnapshot node =
                    with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("a, \"b\" \\ c\nd", TAKEN_AT_NANOS));

            assertThat(PageText.of(node).text()).contains("name=\"a, \\\"b\\\" \\\\ c\\nd\"");
        }

        @Test
        void aNameThatIsNoTextIsMended() {
            NodeSnapshot node =
                    with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("half \uD83D pair", TAKEN_AT_NANOS));

            assertThat(PageText.of(node).text()).contains("name=\"half ? pair\"");
        }
    }

    @Nested
    class Driver {
        // mozilla/translations#1167: the driver was upgraded under the exporter, which ended.
        @Test
        void downSaysWhyAndStillGivesAPage() {
            PageText page = PageText.of(SampleSnapshots.driverDown());

            assertThat(page.value("gpu_agent_nvml_up")).isZero();
            assertThat(page.series("gpu_agent_nvml_down_info"))
                    .containsExactly("gpu_agent_nvml_down_info{code=\"NVML_ERROR_LIB_RM_VERSION_MISMATCH\","
                            + "reason=\"version_mismatch\"}");
            assertThat(page.names()).contains("gpu_agent_build_info").doesNotContain("gpu_driver_info", "gpu_info");
        }

        @Test
        void upHasNoReasonToBeDown() {
            PageText page = PageText.of(SampleSnapshots.h200(1));

            assertThat(page.value("gpu_agent_nvml_up")).isEqualTo(1);
            assertThat(page.names()).doesNotContain("gpu_agent_nvml_down_info");
        }
    }

    @Nested
    class Limits {
        @Test
        void onlyReasonsThatTheGpuCanReportAreZero() {
            PageText page = PageText.of(SampleSnapshots.workstation());

            assertThat(page.series("gpu_clock_limited"))
                    .singleElement()
                    .asString()
                    .contains("gpu_idle");
            assertThat(PageText.of(SampleSnapshots.h200(1)).series("gpu_clock_limited"))
                    .hasSize(9);
        }

        // utkuozdemir/nvidia_gpu_exporter#123, #147, NVIDIA/dcgm-exporter#261: 0 and missing were the same.
        @Test
        void whatCouldNotBeReadLimitsNothing() {
            NodeSnapshot node = with(
                    SampleSnapshots.h200(1),
                    0,
                    ReadingKeys.CLOCK_REASONS,
                    Reading.absent(Absence.FAILED, "NVML_ERROR_UNKNOWN", TAKEN_AT_NANOS));

            assertThat(PageText.of(node).names()).doesNotContain("gpu_clock_limited");
        }
    }

    @Test
    void manyGpusAreAllThere() {
        PageText page = PageText.of(SampleSnapshots.h200(16));

        assertThat(IntStream.range(0, 16))
                .allMatch(
                        gpu -> page.series("gpu_pstate", "gpu=\"" + gpu + "\"").size() == 1);
    }

    private static GpuProcess process(int pid) {
        return new GpuProcess(pid, OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty());
    }
}
