// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import io.gpuagent.bench.ProcessFigures.Column;
import io.gpuagent.bench.Subject.Extent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Start-up time, memory, processor time and scrapes of whole agents, beside the same agents with the JVM's defaults and
 * beside a Java program that does nothing. Writes a table in Markdown.
 */
public final class WholeProcessBench {
    private WholeProcessBench() {}

    /**
     * Measures.
     *
     * @param arguments the file jvm.options, and {@code short} for a run of a few minutes less
     * @throws IOException when an agent cannot be started or asked
     * @throws InterruptedException when interrupted
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length == 0) {
            System.err.println("usage: WholeProcessBench JVM-OPTIONS [short]");
            System.exit(2);
        }
        boolean brief = arguments.length > 1 && arguments[1].equals("short");
        Extent extent = brief
                ? new Extent(8, 3, Duration.ofSeconds(10), 5, 200)
                : new Extent(8, 7, Duration.ofSeconds(60), 30, 200);
        JvmSetup ours = JvmSetup.ours(Path.of(arguments[0]));
        List<Subject> subjects = List.of(
                new Subject.Agent(JvmSetup.DEFAULTS, extent),
                new Subject.Agent(ours, extent),
                new Subject.Agent(
                        ours.without("its compiler flag", flag -> flag.startsWith("-XX:TieredStopAtLevel")), extent),
                new Subject.Agent(ours.without("its heap limits", flag -> flag.matches("-Xm[sx].*")), extent),
                new Subject.Agent(ours.without("its collector", flag -> flag.endsWith("UseSerialGC")), extent),
                new Subject.Agent(ours.withoutEnvironment("MALLOC_ARENA_MAX"), extent),
                new Subject.Bare(JvmSetup.DEFAULTS),
                new Subject.Bare(ours));
        // In turns, so that what else the machine does is shared by all.
        for (int i = 1; i < extent.starts(); i++) {
            for (Subject subject : subjects) {
                subject.start();
            }
            System.err.println("started each " + i + " times");
        }
        List<ProcessFigures> all = new ArrayList<>();
        for (Subject subject : subjects) {
            all.add(subject.figures());
            System.err.println("measured: " + all.getLast().name());
        }
        System.out.print(table(all));
    }

    /** Each cell has the figure and its ratio to the first row's. */
    static String table(List<ProcessFigures> rows) {
        StringBuilder table = new StringBuilder("| process |");
        StringBuilder rule = new StringBuilder("|---|");
        for (Column column : ProcessFigures.COLUMNS) {
            table.append(' ').append(column.head()).append(" |");
            rule.append("---:|");
        }
        table.append('\n').append(rule).append('\n');
        ProcessFigures baseline = rows.getFirst();
        for (ProcessFigures row : rows) {
            table.append("| ").append(row.name()).append(" |");
            for (Column column : ProcessFigures.COLUMNS) {
                table.append(' ').append(cell(column, row, baseline)).append(" |");
            }
            table.append('\n');
        }
        return table.toString();
    }

    private static String cell(Column column, ProcessFigures row, ProcessFigures baseline) {
        double value = column.value().applyAsDouble(row);
        if (Double.isNaN(value)) {
            return "–";
        }
        String figure = String.format(Locale.ROOT, "%." + column.decimals() + "f", value);
        return row.equals(baseline)
                ? figure
                : String.format(
                        Locale.ROOT,
                        "%s (×%.2f)",
                        figure,
                        value / column.value().applyAsDouble(baseline));
    }
}
