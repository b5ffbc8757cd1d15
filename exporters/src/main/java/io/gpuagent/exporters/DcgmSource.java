// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import io.gpuagent.model.GpuSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the values of a DCGM field come from. */
public sealed interface DcgmSource {
    /**
     * What the documentation says of it.
     *
     * @return a native family with its labels, or a formula
     */
    String text();

    /**
     * The samples of a native family, so that both pages say the same and refuse the same.
     *
     * @param family the family's name
     * @param choices labels that a sample must have; of several, the first that a GPU has a sample for
     * @param unit how its unit becomes DCGM's
     */
    record OfFamily(String family, List<Map<String, String>> choices, Unit unit) implements DcgmSource {
        /** Takes copies. */
        public OfFamily {
            choices = List.copyOf(choices);
        }

        static boolean has(Labels sample, Map<String, String> choice) {
            return choice.entrySet().stream().allMatch(label -> label.getValue().equals(sample.get(label.getKey())));
        }

        @Override
        public String text() {
            return choices.stream().map(this::text).collect(Collectors.joining(", else ")) + unit.text();
        }

        private String text(Map<String, String> choice) {
            return "`" + family
                    + (choice.isEmpty()
                            ? ""
                            : choice.entrySet().stream()
                                    .map(label -> label.getKey() + "=\"" + label.getValue() + "\"")
                                    .sorted()
                                    .collect(Collectors.joining(",", "{", "}")))
                    + "`";
        }
    }

    /**
     * A value that no single native sample has.
     *
     * @param value makes it of a GPU's readings; empty where one is missing
     * @param text the formula
     */
    record OfReadings(Function<GpuSnapshot, OptionalDouble> value, String text) implements DcgmSource {}

    /** What becomes of a native value. */
    enum Unit {
        /** Stays as it is. */
        SAME(""),
        /** 0 to 1 becomes 0 to 100. */
        PERCENT(" × 100"),
        /** Hertz become megahertz. */
        MEGAHERTZ(" / 10⁶"),
        /** Joules become millijoules. */
        MILLIJOULES(" × 1000"),
        /** Bytes become whole mebibytes; the rest is cut off, as DCGM does. */
        MEBIBYTES(" / 2²⁰");

        private static final double BYTES = 1 << 20;

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        double of(double value) {
            return switch (this) {
                case SAME -> value;
                case PERCENT -> value * 100;
                case MEGAHERTZ -> value / 1e6;
                case MILLIJOULES -> value * 1000;
                case MEBIBYTES -> Math.floor(value / BYTES);
            };
        }
    }
}
