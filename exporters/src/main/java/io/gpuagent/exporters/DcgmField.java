// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.Locale;

/**
 * A field of NVIDIA DCGM under the name, unit and number format in which dcgm-exporter up to 4.8 shows it.
 *
 * @param name the field's name, which is the metric's
 * @param type the metric's type; what is counted is a counter, whatever a counters file says of it
 * @param form how its values are written
 * @param help what dcgm-exporter's own counters file says of it, or DCGM's documentation where that has no line
 * @param usual whether it is on the page when no counters file chooses
 * @param source where its values come from
 */
public record DcgmField(String name, Type type, Form form, String help, boolean usual, DcgmSource source) {
    /** The types of metrics. */
    public enum Type {
        /** Goes up and down. */
        GAUGE,
        /** Only grows. */
        COUNTER;

        /**
         * The word of the page.
         *
         * @return in lower case
         */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** DCGM's types of values, which decide how dcgm-exporter writes them. */
    public enum Form {
        /** DCGM_FT_INT64, written without a fraction. */
        INTEGER {
            @Override
            String text(double value) {
                return Long.toString(Math.round(value));
            }
        },
        /** DCGM_FT_DOUBLE, written with six decimals. */
        REAL {
            @Override
            String text(double value) {
                return String.format(Locale.ROOT, "%f", value);
            }
        };

        abstract String text(double value);
    }
}
