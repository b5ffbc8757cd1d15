// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.cli;

import java.util.ArrayList;
import java.util.List;

/** A table of at most 80 columns: the first wide column that can is cut until it fits. */
final class PlainTable {
    private static final int WIDTH = 80;
    private static final int SHORTEST = 8;
    private static final String GAP = "  ";

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private final String ellipsis;

    /**
     * A column.
     *
     * @param title its title
     * @param number whether it is aligned to the right
     * @param cut whether its cells may be cut
     */
    record Column(String title, boolean number, boolean cut) {
        static Column number(String title) {
            return new Column(title, true, false);
        }

        static Column text(String title) {
            return new Column(title, false, false);
        }

        static Column cuttable(String title) {
            return new Column(title, false, true);
        }
    }

    PlainTable(boolean ellipsis, Column... columns) {
        this.columns = List.of(columns);
        this.ellipsis = ellipsis ? "…" : "~";
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    /** The table, line by line: the titles, then a line for each row. */
    List<String> lines() {
        int[] widths = widths();
        List<String> lines = new ArrayList<>();
        lines.add(line(columns.stream().map(Column::title).toList(), widths));
        rows.forEach(row -> lines.add(line(row, widths)));
        return lines;
    }

    private int[] widths() {
        int[] widths = new int[columns.size()];
        int all = GAP.length() * (widths.length - 1);
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    columns.get(i).title().length(),
                    rows.stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
            all += widths[i];
        }
        for (int i = widths.length - 1; i >= 0 && all > WIDTH; i--) {
            if (columns.get(i).cut()) {
                int less = Math.min(all - WIDTH, Math.max(0, widths[i] - SHORTEST));
                widths[i] -= less;
                all -= less;
            }
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            String shown =
                    cell.length() <= widths[i] ? cell : cell.substring(0, widths[i] - ellipsis.length()) + ellipsis;
            String space = " ".repeat(widths[i] - shown.length());
            line.append(i == 0 ? "" : GAP).append(columns.get(i).number() ? space + shown : shown + space);
        }
        return line.toString().stripTrailing();
    }

    /** A sentence in lines of at most 80 columns. */
    static String wrapped(String sentence, String indent) {
        StringBuilder text = new StringBuilder();
        StringBuilder line = new StringBuilder(indent);
        for (String word : sentence.split(" ", -1)) {
            boolean first = line.length() == indent.length();
            if (!first && line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
        }
        return text.append(line).append('\n').toString();
    }
}
