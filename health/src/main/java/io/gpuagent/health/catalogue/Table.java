// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.health.catalogue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;

/** A table of this package: lines of columns with tabs between them, one of which names the version. */
record Table(String version, List<String[]> rows) {
    private static final String VERSION = "version";

    static Table read(String name) {
        try (InputStream file = Objects.requireNonNull(Table.class.getResourceAsStream(name), name)) {
            return parse(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the table " + name + " cannot be read", e);
        }
    }

    private static Table parse(String name, String text) {
        String version = "";
        List<String[]> rows = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] columns = line.split("\t", -1);
            if (columns[0].equals(VERSION)) {
                version = columns[1];
            } else {
                rows.add(columns);
            }
        }
        if (version.isEmpty()) {
            throw new IllegalStateException("the table " + name + " has no version");
        }
        return new Table(version, List.copyOf(rows));
    }

    /** {@code 1-7,9}. */
    static void forEachCode(String codes, IntConsumer code) {
        for (String part : codes.split(",", -1)) {
            int dash = part.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
            for (int i = first; i <= last; i++) {
                code.accept(i);
            }
        }
    }
}
