// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Collects what is wrong with one file, so that the user learns of everything at once. */
final class Problems {
    private static final Comparator<Problem> TOP_DOWN =
            Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column);

    private final String file;
    private final List<Problem> found = new ArrayList<>();

    Problems(String file) {
        this.file = file;
    }

    void add(Optional<Mark> where, String what, String right) {
        // SnakeYAML counts from 0, editors from 1.
        found.add(new Problem(
                file,
                where.map(mark -> mark.getLine() + 1).orElse(0),
                where.map(mark -> mark.getColumn() + 1).orElse(0),
                what,
                right));
    }

    void add(int line, int column, String what, String right) {
        found.add(new Problem(file, line, column, what, right));
    }

    void throwIfAny() throws ConfigException {
        if (!found.isEmpty()) {
            throw new ConfigException(file, found.stream().sorted(TOP_DOWN).toList());
        }
    }
}
