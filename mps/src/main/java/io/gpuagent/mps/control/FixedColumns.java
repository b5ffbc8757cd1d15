// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.control;

import java.util.ArrayList;
import java.util.List;

/** A table of fixed columns, which start where their titles do; cells may be empty and hold spaces. */
final class FixedColumns {
    private final List<Integer> starts = new ArrayList<>();

    /** Titles in their order; throws IllegalArgumentException where one is missing. */
    FixedColumns(String header, List<String> titles) {
        int from = 0;
        for (String title : titles) {
            int start = header.indexOf(title, from);
            if (start < 0) {
                throw new IllegalArgumentException("no column " + title + " in " + header);
            }
            starts.add(start);
            from = start + title.length();
        }
    }

    String cell(String row, int column) {
        int start = Math.min(starts.get(column), row.length());
        int end = column + 1 < starts.size() ? Math.min(starts.get(column + 1), row.length()) : row.length();
        return row.substring(start, end).strip();
    }

    long number(String row, int column) {
        return Long.parseLong(cell(row, column));
    }
}
