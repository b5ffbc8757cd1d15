// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.exporters.MetricFamily.Group;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keeps docs/metrics.md in step with the catalogue. */
class MetricsDocumentTest {
    private static final String INTRODUCTION = """
            # Metrics

            <!-- Written from the catalogue in exporters/ by its tests, run with -Dgolden.update=true; do not edit. -->

            What `/metrics` serves. `gpu_` is what the card says, `gpu_agent_` what the agent tells of itself.

            - **Absent is not zero.** A value that the driver does not give, that cannot be true, or that is older than
              three intervals of its tier has no series. `gpu_agent_absent_readings` counts what is missing, by reason;
              `status` names each one. A 0 on the page is a 0 that was read.
            - **Units** are base units: bytes, watts, joules, hertz, seconds, degrees Celsius; ratios run from 0 to 1,
              and whether something is so is 0 or 1.
            - **Labels.** Each series of a GPU has `gpu` (NVML's index, in the order of the PCI bus ids) and `uuid`, as
              `nvidia-smi` prints it. The UUID is the key: the index may change when the driver is loaded again. All
              else about a device stands in `gpu_info` alone, to be joined where it is wanted:
              `gpu_power_watts * on (uuid) group_left (name, serial) gpu_info`. So a new driver or firmware starts no
              new series but its own.
              Series of MPS have `mps` instead, the daemon's id, since a daemon may serve several GPUs:
              `gpu_mps_clients * on (mps) group_right () gpu_mps_device_info` tells which. `server` and `pid` are process
              ids.
            - **Counters** end in `_total`. Those of a GPU start again when its driver is loaded, except
              `gpu_ecc_lifetime_errors_total`; those of the agent when the agent starts.
            - **Tiers** say how often a reading is made: fast every second and slow every 15 seconds unless configured
              otherwise, static once and again when the GPUs of the node change. They follow what a call costs the card.
              A scrape causes no reading.
            - **Formats.** Prometheus' text 0.0.4, and OpenMetrics 1.0 for whoever asks for it in `Accept`.
            """;

    @Test
    void isWhatTheCatalogueSays() throws IOException {
        String document = INTRODUCTION
                + Arrays.stream(Group.values())
                        .map(MetricsDocumentTest::chapter)
                        .collect(Collectors.joining());
        new GoldenFile(Path.of("../docs/metrics.md")).assertSame(document);
    }

    private static String chapter(Group group) {
        String rows = MetricCatalogue.ALL.stream()
                .filter(family -> family.group() == group)
                .map(MetricsDocumentTest::row)
                .collect(Collectors.joining());
        return "\n## " + group.title()
                + "\n\n| name | type | labels | meaning | source | tier |\n|---|---|---|---|---|---|\n" + rows;
    }

    private static String row(MetricFamily family) {
        return "| `" + family.name()
                + "` | "
                + family.type().name().toLowerCase(Locale.ROOT)
                + " | "
                + family.labels().stream().map(MetricsDocumentTest::label).collect(Collectors.joining(", "))
                + " | "
                + family.help()
                + " | "
                + family.source()
                + " | "
                + family.tiers().stream()
                        .map(tier -> tier.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(", "))
                + " |\n";
    }

    private static String label(FamilyLabel label) {
        List<String> values = label.values();
        return "`" + label.name() + "`"
                + (values.isEmpty() ? "" : values.stream().collect(Collectors.joining("`, `", " (`", "`)")));
    }
}
