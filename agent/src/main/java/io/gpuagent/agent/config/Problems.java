// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Collects what is wrong with one file, so that the user learns of everything at once. */
public final class Problems {
    private static final Comparator<Problem> TOP_DOWN =
            Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column);

    private final String file;
    private final List<Problem> found = new ArrayList<>();

    /**
     * Nothing is wrong yet.
     *
     * @param file the file as the user named it
     */
    public Problems(String file) {
        this.file = file;
    }

    void add(Optional<Mark> where, String what, String right) {
        // SnakeYAML counts from 0, editors from 1.
        add(
                where.map(mark -> mark.getLine() + 1).orElse(0),
                where.map(mark -> mark.getColumn() + 1).orElse(0),
                what,
                right);
    }

    /**
     * Adds one.
     *
     * @param line its line, from 1; 0 where the whole file is meant
     * @param column its column, from 1; 0 where the whole file is meant
     * @param what what is wrong
     * @param right what would be right
     */
    public void add(int line, int column, String what, String right) {
        found.add(new Problem(file, line, column, what, right));
    }

    /**
     * All that is wrong.
     *
     * @return from the top of the file down
     */
    public List<Problem> sorted() {
        return found.stream().sorted(TOP_DOWN).toList();
    }

    void throwIfAny() throws ConfigException {
        if (!found.isEmpty()) {
            throw new ConfigException(file, sorted());
        }
    }
}
