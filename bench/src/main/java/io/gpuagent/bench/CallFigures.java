// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.util.List;
import java.util.Locale;

/**
 * What a call takes in C and through the binding.
 *
 * @param call the call
 * @param c nanoseconds per call in C, the median of all rounds
 * @param binding likewise through the binding
 * @param counted likewise, counted and timed as the agent does it
 */
record CallFigures(MeasuredCall call, double c, double binding, double counted) {
    /** From this time on a call is bound by ratio, below by difference. */
    private static final double LONG_NANOS = 5_000;

    private static final double MAX_RATIO = 1.15;
    private static final double MAX_DIFFERENCE_NANOS = 150;

    double difference() {
        return binding - c;
    }

    double ratio() {
        return binding / c;
    }

    boolean isWithinBound() {
        return c >= LONG_NANOS ? ratio() <= MAX_RATIO : difference() <= MAX_DIFFERENCE_NANOS;
    }

    private String bound() {
        return c >= LONG_NANOS ? "×1.15" : "+150 ns";
    }

    static String table(List<CallFigures> rows) {
        StringBuilder table = new StringBuilder("""
                | call | C, ns | binding, ns | difference, ns | ratio | bound | | counted as in the agent, ns |
                |---|---:|---:|---:|---:|---:|---|---:|
                """);
        for (CallFigures row : rows) {
            table.append(String.format(
                    Locale.ROOT,
                    "| %s | %.0f | %.0f | %.0f | %.3f | %s | %s | %.0f |%n",
                    row.call().cName(),
                    row.c(),
                    row.binding(),
                    row.difference(),
                    row.ratio(),
                    row.bound(),
                    row.isWithinBound() ? "within" : "BEYOND",
                    row.counted()));
        }
        return table.toString();
    }

    String json() {
        return String.format(
                Locale.ROOT,
                "{\"call\": \"%s\", \"c_ns\": %.1f, \"binding_ns\": %.1f, \"counted_ns\": %.1f, \"within\": %b}",
                call.cName(),
                c,
                binding,
                counted,
                isWithinBound());
    }
}
