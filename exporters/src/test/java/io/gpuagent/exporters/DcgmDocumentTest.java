// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpuagent.exporters.DcgmSource.OfFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Keeps docs/dcgm.md in step with the table of fields. */
class DcgmDocumentTest {
    static final List<DcgmField> FIELDS = DcgmCatalogue.ALL;

    private static final String INTRODUCTION = """
            # The page with DCGM's names

            <!-- Written from the table in exporters/ by its tests, run with -Dgolden.update=true; do not edit. -->

            `/metrics?format=dcgm`, and `/metrics` with `metrics.format: dcgm`, show the same snapshot under the names of
            NVIDIA DCGM, as dcgm-exporter up to 4.8 prints them, so that dashboards and alerts made for it go on working.
            No DCGM is needed. `gpu-agent metrics --format dcgm` writes the page to standard output.

            - **Names, types, units and number formats** are dcgm-exporter's: percent, MHz, mJ, MiB; whole numbers without a
              fraction, others with six decimals. The names that came with DCGM 4.7 are not there.
            - **Labels** are `gpu`, `UUID`, `pci_bus_id`, `device`, `modelName`, `Hostname`, `DCGM_FI_DRIVER_VERSION`.
              `Hostname` is the environment's `NODE_NAME`, else the host's name. `metrics.dcgm-hostname-label: hostname`
              spells it as dcgm-exporter 4.6 to 4.8 do; `none` leaves it out.
            - **Absent is not zero**, here as on the [native page](metrics.md): what is not read has no series. The agent's
              own metrics are on the native page alone, which `?format=native` always gives; scrape it as well to learn why
              something is missing.
            - **Text 0.0.4 always**, whatever `Accept` says: in OpenMetrics counters would have other names.
            - **MIG**: a GPU in MIG mode has no utilization. Figures of the whole card are there once for each card.

            ## Choosing fields

            `metrics.dcgm-counters: /etc/gpu-agent/counters.csv` takes a counters file of dcgm-exporter: rows of
            `FIELD, type, help`. The page has its fields in its order with its help. A row that gives nothing is named in the
            log when the agent starts, and by `gpu-agent config check`; it stops nothing. A field keeps its true type, whatever
            the file says. Without a file the page has the fields that are marked below.
            """;

    @Test
    void isWhatTheTableSays() throws IOException {
        String document = INTRODUCTION
                + "\n## Fields\n\n| field | type | as | from | without a file |\n|---|---|---|---|---|\n"
                + DcgmCatalogue.ALL.stream().map(DcgmDocumentTest::row).collect(Collectors.joining())
                + "\nAs labels (type `label` in a counters file): "
                + Arrays.stream(DcgmLabel.values())
                        .map(label -> "`" + label.name() + "`")
                        .collect(Collectors.joining(", "))
                + ".\n\n## Fields that are not read\n\nNamed by dcgm-exporter's own counters files; a row of one gives a warning"
                + " and no series.\n\n"
                + DcgmCatalogue.NOT_READ.stream()
                        .map(name -> "- `" + name + "`\n")
                        .collect(Collectors.joining());
        new GoldenFile(Path.of("../docs/dcgm.md")).assertSame(document);
    }

    @ParameterizedTest
    @FieldSource("FIELDS")
    void everyFieldComesFromALabelThatItsFamilyHas(DcgmField field) {
        if (field.source() instanceof OfFamily source) {
            MetricFamily family = MetricCatalogue.family(source.family());
            assertThat(source.choices())
                    .allSatisfy(choice -> choice.forEach((name, value) -> assertThat(family.labels())
                            .anyMatch(label ->
                                    label.name().equals(name) && label.values().contains(value))));
        }
    }

    @Test
    void noFieldIsThereTwice() {
        assertThat(DcgmCatalogue.ALL).extracting(DcgmField::name).doesNotHaveDuplicates();
        assertThat(DcgmCatalogue.NOT_READ)
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(
                        DcgmCatalogue.ALL.stream().map(DcgmField::name).toList());
    }

    private static String row(DcgmField field) {
        return "| `" + field.name()
                + "` | "
                + field.type().word()
                + " | "
                + (field.form() == DcgmField.Form.INTEGER ? "%d" : "%f")
                + " | "
                + field.source().text()
                + " | "
                + (field.usual() ? "yes" : "")
                + " |\n";
    }
}
