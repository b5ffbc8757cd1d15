// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static io.gpuagent.model.SampleSnapshots.TAKEN_AT_NANOS;
import static io.gpuagent.model.SampleSnapshots.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.model.Absence;
import io.gpuagent.model.ClockEventReason;
import io.gpuagent.model.MemoryUse;
import io.gpuagent.model.NodeSnapshot;
import io.gpuagent.model.Reading;
import io.gpuagent.model.ReadingKeys;
import io.gpuagent.model.SampleSnapshots;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DcgmPageTest {
    private static final String GPU_0 = "gpu=\"0\"";
    private static final String GPU_1 = "gpu=\"1\"";

    @Nested
    class Values {
        @Test
        void areInTheUnitsOfDcgm() {
            PageText page = page(SampleSnapshots.h200(2));

            assertThat(page.value("DCGM_FI_DEV_GPU_UTIL", GPU_1)).isEqualTo(97);
            assertThat(page.value("DCGM_FI_DEV_SM_CLOCK", GPU_1)).isEqualTo(1980);
            assertThat(page.value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", GPU_1))
                    .isEqualTo(183_442_516);
            assertThat(page.value("DCGM_FI_DEV_FB_USED", GPU_1)).isEqualTo(65_536);
            assertThat(page.value("DCGM_FI_DEV_GPU_TEMP", GPU_1)).isEqualTo(61);
        }

        @Test
        void areWrittenAsDcgmExporterWritesThem() {
            String page = page(SampleSnapshots.h200(2)).text();

            assertThat(page.lines().filter(line -> line.startsWith("DCGM_FI_DEV_POWER_USAGE{gpu=\"1\"")))
                    .singleElement()
                    .asString()
                    .endsWith("} 612.400000");
            assertThat(page.lines().filter(line -> line.startsWith("DCGM_FI_DEV_GPU_TEMP{gpu=\"1\"")))
                    .singleElement()
                    .asString()
                    .endsWith("} 61");
        }

        @Test
        void powerIsTheInstantaneousOneWhereTheGpuKeepsNoAverage() {
            NodeSnapshot node = with(
                    SampleSnapshots.h200(1),
                    0,
                    ReadingKeys.POWER_AVERAGE,
                    Reading.absent(Absence.NOT_SUPPORTED, null, TAKEN_AT_NANOS));

            assertThat(page(node).value("DCGM_FI_DEV_POWER_USAGE")).isEqualTo(77.8);
        }

        // NVIDIA/dcgm-exporter#136, #271; NVIDIA/gpu-operator#348: used and free do not add up to the total.
        @Test
        void usedFreeAndReservedMemoryAddUpToTheTotal() {
            PageText page = page(SampleSnapshots.h200(2));

            assertThat(page.value("DCGM_FI_DEV_FB_USED", GPU_0)).isZero();
            assertThat(page.value("DCGM_FI_DEV_FB_RESERVED", GPU_0)).isEqualTo(615);
            double parts = page.value("DCGM_FI_DEV_FB_USED", GPU_1)
                    + page.value("DCGM_FI_DEV_FB_FREE", GPU_1)
                    + page.value("DCGM_FI_DEV_FB_RESERVED", GPU_1);
            // Each of the three is cut to whole mebibytes.
            assertThat(page.value("DCGM_FI_DEV_FB_TOTAL", GPU_1) - parts).isBetween(0.0, 2.0);
        }

        @Test
        void clockReasonsAreTheBitsOfNvml() {
            Set<ClockEventReason> reasons =
                    Set.of(ClockEventReason.SW_POWER_CAP, ClockEventReason.HW_THERMAL_SLOWDOWN, ClockEventReason.OTHER);
            NodeSnapshot node =
                    with(SampleSnapshots.h200(2), 1, ReadingKeys.CLOCK_REASONS, Reading.of(reasons, TAKEN_AT_NANOS));

            assertThat(page(node).value("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", GPU_0))
                    .isEqualTo(0x1);
            assertThat(page(node).value("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", GPU_1))
                    .isEqualTo(0x44);
        }

        @Test
        void aGpuWhoseClocksNothingLimitsHasTheMaskZero() {
            NodeSnapshot node = with(
                    with(
                            SampleSnapshots.h200(1),
                            0,
                            ReadingKeys.CLOCK_REASONS_SUPPORTED,
                            Reading.absent(Absence.NOT_SUPPORTED, null, TAKEN_AT_NANOS)),
                    0,
                    ReadingKeys.CLOCK_REASONS,
                    Reading.of(Set.of(), TAKEN_AT_NANOS));

            assertThat(page(node).value("DCGM_FI_DEV_CLOCKS_EVENT_REASONS")).isZero();
        }

        @Test
        void theShareOfMemoryLeavesOutWhatIsReserved() {
            NodeSnapshot node = with(
                    SampleSnapshots.h200(1),
                    0,
                    ReadingKeys.MEMORY,
                    Reading.of(new MemoryUse(1100, 250, 750, OptionalLong.of(100)), TAKEN_AT_NANOS));

            assertThat(page(node, "DCGM_FI_DEV_FB_USED_PERCENT, gauge, x").value("DCGM_FI_DEV_FB_USED_PERCENT"))
                    .isEqualTo(0.75);
        }
    }

    @Nested
    class Absent {
        // NVIDIA/dcgm-exporter#105, #216, #430: a utilization of 0 for a GPU in MIG mode.
        @Test
        void migHasNoUtilizationOfTheWholeGpu() {
            assertThat(page(SampleSnapshots.migOn()).names())
                    .contains("DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_FB_TOTAL")
                    .doesNotContain("DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_MEM_COPY_UTIL", "DCGM_FI_DEV_ENC_UTIL");
        }

        // NVIDIA/gpu-monitoring-tools#97: blank values of DCGM such as 9223372036854775794 as samples.
        @Test
        void whatTheCardDoesNotHaveIsNoSeries() {
            PageText page = page(SampleSnapshots.workstation());

            assertThat(page.names())
                    .doesNotContain(
                            "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
                            "DCGM_FI_DEV_MEMORY_TEMP",
                            "DCGM_FI_DEV_ROW_REMAP_PENDING");
            assertThat(page.samples().values()).allMatch(value -> value < 1e12);
        }

        // NVIDIA/dcgm-exporter#700, #646: one value that is missing took others with it.
        @Test
        void oneMissingValueTakesNoOtherAlong() {
            NodeSnapshot whole = SampleSnapshots.h200(1);
            NodeSnapshot less = with(
                    whole,
                    0,
                    ReadingKeys.CLOCK_REASONS,
                    Reading.absent(Absence.NO_SUCH_FUNCTION, "NVML_ERROR_FUNCTION_NOT_FOUND", TAKEN_AT_NANOS));

            assertThat(page(less).names())
                    .hasSize(page(whole).names().size() - 1)
                    .doesNotContain("DCGM_FI_DEV_CLOCKS_EVENT_REASONS");
        }

        // NVIDIA/dcgm-exporter#312, NVIDIA/DCGM#199: 4278190080 degrees.
        @ParameterizedTest
        @ValueSource(ints = {345, -16_777_216, Integer.MAX_VALUE})
        void whatCannotBeTrueIsLeftOut(int celsius) {
            NodeSnapshot node =
                    with(SampleSnapshots.h200(1), 0, ReadingKeys.TEMPERATURE_GPU, Reading.of(celsius, TAKEN_AT_NANOS));

            assertThat(page(node).names())
                    .doesNotContain("DCGM_FI_DEV_GPU_TEMP")
                    .contains("DCGM_FI_DEV_MEMORY_TEMP");
        }

        // NVIDIA/dcgm-exporter#164, NVIDIA/gpu-monitoring-tools#188: old values of a GPU that answers no more.
        @Test
        void aGpuThatDoesNotAnswerHasNoValuesButWhatNeverChanges() {
            PageText page = page(SampleSnapshots.unresponsive());

            assertThat(page.series("DCGM_FI_DEV_GPU_TEMP", GPU_0)).hasSize(1);
            assertThat(page.series("DCGM_FI_DEV_GPU_TEMP", GPU_1)).isEmpty();
            assertThat(page.series("DCGM_FI_DEV_SLOWDOWN_TEMP", GPU_1)).hasSize(1);
        }

        @Test
        void withoutADriverThePageIsEmpty() {
            assertThat(page(SampleSnapshots.driverDown()).text()).isEmpty();
        }
    }

    @Nested
    class Labels {
        @Test
        void areThoseOfDcgmExporter() {
            assertThat(page(SampleSnapshots.h200(1)).series("DCGM_FI_DEV_GPU_TEMP"))
                    .containsExactly("DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-00000000-0000-0000-0000-000000000001\","
                            + "pci_bus_id=\"00000000:00:06.0\",device=\"nvidia0\",modelName=\"NVIDIA H200\","
                            + "Hostname=\"node7\",DCGM_FI_DRIVER_VERSION=\"580.159.04\"}");
        }

        // NVIDIA/dcgm-exporter#655: Hostname became hostname, and dashboards stayed empty.
        @ParameterizedTest
        @ValueSource(strings = {"Hostname", "hostname"})
        void nameTheHostAsTheDashboardsWantIt(String spelling) {
            DcgmStyle style = new DcgmStyle(DcgmCounters.USUAL, spelling, "node7");

            assertThat(page(SampleSnapshots.h200(1), style).series("DCGM_FI_DEV_GPU_TEMP", spelling + "=\"node7\""))
                    .hasSize(1);
        }

        @Test
        void leaveTheHostOutWhereItIsNotWantedOrHasNoName() {
            assertThat(page(SampleSnapshots.h200(1), new DcgmStyle(DcgmCounters.USUAL, "", "node7"))
                            .text())
                    .doesNotContain("node7");
            assertThat(page(SampleSnapshots.h200(1), new DcgmStyle(DcgmCounters.USUAL, "Hostname", ""))
                            .text())
                    .doesNotContain("Hostname");
        }

        // Project-HAMi/HAMi#2990: "NVIDIA-NVIDIA A100".
        @ParameterizedTest
        @ValueSource(strings = {"NVIDIA H200", "Tesla T4"})
        void giveTheModelAsTheDriverNamesIt(String name) {
            NodeSnapshot node = with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of(name, TAKEN_AT_NANOS));

            assertThat(page(node).series("DCGM_FI_DEV_GPU_TEMP", "modelName=\"" + name + "\""))
                    .hasSize(1);
        }

        // utkuozdemir/nvidia_gpu_exporter PR #438: a comma within a value.
        @Test
        void areEscaped() {
            NodeSnapshot node =
                    with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("a, \"b\" \\ c\nd", TAKEN_AT_NANOS));

            assertThat(page(node).text()).contains("modelName=\"a, \\\"b\\\" \\\\ c\\nd\"");
        }

        @Test
        void areUtf8EvenWhereTheNameIsNoText() {
            NodeSnapshot node =
                    with(SampleSnapshots.h200(1), 0, ReadingKeys.NAME, Reading.of("half \uD83D pair", TAKEN_AT_NANOS));

            assertThat(page(node).text()).contains("modelName=\"half ? pair\"");
        }

        @Test
        void areThoseThatTheCountersFileAsksFor() {
            PageText page = page(
                    SampleSnapshots.h200(1),
                    "DCGM_FI_DEV_GPU_TEMP, gauge, x\nDCGM_FI_DEV_SERIAL, label, x\nDCGM_FI_DEV_VBIOS_VERSION, label, x");

            assertThat(page.series("DCGM_FI_DEV_GPU_TEMP").getFirst())
                    .contains("DCGM_FI_DEV_SERIAL=\"0000000000001\",DCGM_FI_DEV_VBIOS_VERSION=\"96.00.A5.00.1A\"}")
                    .doesNotContain("DCGM_FI_DRIVER_VERSION");
        }
    }

    // NVIDIA/dcgm-exporter#728, #730: one label set twice, and the whole page was an error.
    @Test
    void aGpuThatTheDriverNamesTwiceIsThereOnce() {
        assertThat(page(SampleSnapshots.sameGpuTwice()).series("DCGM_FI_DEV_GPU_TEMP"))
                .hasSize(1);
    }

    // gpustack/gpustack#1633: the index changes between drivers, the UUID does not.
    @Test
    void valuesStayWithTheirGpuWhenTheIndexChanges() {
        NodeSnapshot node = SampleSnapshots.h200(2);
        NodeSnapshot swapped = new NodeSnapshot(
                node.generation(),
                node.takenAtNanos(),
                node.takenAt(),
                node.driver(),
                List.of(
                        SampleSnapshots.renumbered(node.gpus().get(1), 0),
                        SampleSnapshots.renumbered(node.gpus().get(0), 1)),
                node.agent());

        String uuid = "UUID=\"" + node.gpus().get(1).identity().uuid() + "\"";
        assertThat(page(swapped).value("DCGM_FI_DEV_GPU_UTIL", uuid, GPU_0)).isEqualTo(97);
        assertThat(page(node).value("DCGM_FI_DEV_GPU_UTIL", uuid, GPU_1)).isEqualTo(97);
    }

    // What grafana.com's dashboard 12239 and the alerts in use ask for, as far as it is read.
    @Test
    void dashboardsAndAlertsFindTheirSeries() {
        assertThat(page(SampleSnapshots.h200(1)).names())
                .contains(
                        "DCGM_FI_DEV_GPU_TEMP",
                        "DCGM_FI_DEV_POWER_USAGE",
                        "DCGM_FI_DEV_SM_CLOCK",
                        "DCGM_FI_DEV_GPU_UTIL",
                        "DCGM_FI_DEV_FB_USED",
                        "DCGM_FI_DEV_FB_FREE",
                        "DCGM_FI_DEV_FB_TOTAL",
                        "DCGM_FI_DEV_ROW_REMAP_FAILURE",
                        "DCGM_FI_DEV_ROW_REMAP_PENDING",
                        "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS",
                        "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL",
                        "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL",
                        "DCGM_FI_DEV_CLOCKS_EVENT_REASONS",
                        "DCGM_FI_DEV_SLOWDOWN_TEMP");
    }

    private static PageText page(NodeSnapshot node) {
        return page(node, new DcgmStyle(DcgmCounters.USUAL, "Hostname", "node7"));
    }

    private static PageText page(NodeSnapshot node, String file) {
        return page(node, new DcgmStyle(DcgmCounters.parse(file).counters(), "Hostname", "node7"));
    }

    private static PageText page(NodeSnapshot node, DcgmStyle style) {
        return new PageText(new String(DcgmPage.of(node, style), StandardCharsets.UTF_8));
    }
}
