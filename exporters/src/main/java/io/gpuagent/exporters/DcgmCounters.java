// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.exporters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Which fields a DCGM page has.
 *
 * @param fields the fields, in the order of the page
 * @param labels fields that are labels of every series
 */
public record DcgmCounters(List<Chosen> fields, List<DcgmLabel> labels) {
    /** The choice where nobody made one: dcgm-exporter's own, and what dashboards and alerts ask for besides. */
    public static final DcgmCounters USUAL = new DcgmCounters(
            DcgmCatalogue.ALL.stream()
                    .filter(DcgmField::usual)
                    .map(field -> new Chosen(field, field.help()))
                    .toList(),
            List.of(DcgmLabel.DCGM_FI_DRIVER_VERSION));

    /** Takes copies. */
    public DcgmCounters {
        fields = List.copyOf(fields);
        labels = List.copyOf(labels);
    }

    /**
     * A field of the page.
     *
     * @param field which one
     * @param help what the page says of it
     */
    public record Chosen(DcgmField field, String help) {}

    /**
     * What a counters file chooses, and what in it gives nothing.
     *
     * @param counters the choice
     * @param warnings one for each row that gives less than it asks for
     */
    public record Parsed(DcgmCounters counters, List<Warning> warnings) {
        /** Takes a copy. */
        public Parsed {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A row that gives less than it asks for.
     *
     * @param line its line, from 1
     * @param what what is wrong with it
     */
    public record Warning(int line, String what) {}

    /**
     * Reads a counters file of dcgm-exporter: rows of {@code FIELD, type, help}; a line that begins with {@code #} is a
     * comment. A row that cannot be used is passed over with a warning, since such files are shared between exporters.
     *
     * @param text the file's text
     * @return the choice
     */
    public static Parsed parse(String text) {
        Reader reader = new Reader();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String row = line.strip();
            if (!row.isEmpty() && !row.startsWith("#")) {
                reader.row(number, row);
            }
        }
        return new Parsed(new DcgmCounters(reader.fields, reader.labels), reader.warnings);
    }

    private static final class Reader {
        private final List<Chosen> fields = new ArrayList<>();
        private final List<DcgmLabel> labels = new ArrayList<>();
        private final List<Warning> warnings = new ArrayList<>();
        private final Set<String> seen = new HashSet<>();

        void row(int line, String row) {
            String[] cells = row.split(",", 3);
            String name = cells[0].strip();
            if (cells.length < 3) {
                warn(line, "it is no row of the form FIELD, type, help");
            } else if (!seen.add(name)) {
                warn(line, name + " was named before");
            } else {
                choose(line, name, cells[1].strip().toLowerCase(Locale.ROOT), help(cells[2]));
            }
        }

        private void choose(int line, String name, String type, String help) {
            if (type.equals("label")) {
                label(name).ifPresentOrElse(labels::add, () -> warn(line, "this agent has no label " + name));
                return;
            }
            Optional<DcgmField> found = DcgmCatalogue.ALL.stream()
                    .filter(field -> field.name().equals(name))
                    .findFirst();
            if (found.isEmpty()) {
                boolean isKnown = DcgmCatalogue.NOT_READ.contains(name);
                warn(line, isKnown ? name + " is not read by this agent" : "this agent knows no field " + name);
                return;
            }
            DcgmField field = found.get();
            if (!type.equals(field.type().word())) {
                warn(line, name + " is a " + field.type().word() + " and stays one; the file says \"" + type + "\"");
            }
            fields.add(new Chosen(field, help));
        }

        private static Optional<DcgmLabel> label(String name) {
            return Arrays.stream(DcgmLabel.values())
                    .filter(label -> label.name().equals(name))
                    .findFirst();
        }

        private static String help(String cell) {
            String text = cell.strip();
            boolean isQuoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
            return isQuoted ? text.substring(1, text.length() - 1).replace("\"\"", "\"") : text;
        }

        private void warn(int line, String what) {
            warnings.add(new Warning(line, what));
        }
    }
}
