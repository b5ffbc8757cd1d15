// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one kind of process costs; NaN where it does not apply.
 *
 * @param name the process
 * @param readyMillis median time from start to ready
 * @param readyMib resident memory when ready
 * @param laterMib resident memory after the scrapes
 * @param laterAnonymousMib of that, the process's own
 * @param cpuPercent share of a core while nobody asks, percent
 * @param newPageMedian median of scrapes that find a new snapshot, milliseconds
 * @param newPageMost the longest of them
 * @param samePageMedian median of scrapes in quick succession, most of which find the page made
 * @param samePage99 their 99th percentile
 */
record ProcessFigures(
        String name,
        double readyMillis,
        double readyMib,
        double laterMib,
        double laterAnonymousMib,
        double cpuPercent,
        double newPageMedian,
        double newPageMost,
        double samePageMedian,
        double samePage99) {
    /** A column of the report. */
    record Column(String head, int decimals, ToDoubleFunction<ProcessFigures> value) {}

    static final List<Column> COLUMNS = List.of(
            new Column("ready, ms", 0, ProcessFigures::readyMillis),
            new Column("RSS ready, MiB", 1, ProcessFigures::readyMib),
            new Column("RSS later, MiB", 1, ProcessFigures::laterMib),
            new Column("of it anonymous, MiB", 1, ProcessFigures::laterAnonymousMib),
            new Column("CPU idle, % of a core", 2, ProcessFigures::cpuPercent),
            new Column("scrape, new page, p50, ms", 2, ProcessFigures::newPageMedian),
            new Column("scrape, new page, max, ms", 2, ProcessFigures::newPageMost),
            new Column("scrape, same page, p50, ms", 2, ProcessFigures::samePageMedian),
            new Column("scrape, same page, p99, ms", 2, ProcessFigures::samePage99));
}
