// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * A log record as a line. In the journal it starts with the priority that sd-daemon(3) defines and has no time, which
 * the journal keeps itself; elsewhere it starts with time and level.
 */
final class LogLine extends Formatter {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT)
            .withZone(ZoneId.systemDefault());

    private final boolean journal;

    LogLine(boolean journal) {
        this.journal = journal;
    }

    @Override
    public String format(LogRecord record) {
        StringBuilder line = new StringBuilder();
        if (!journal) {
            line.append(TIME.format(record.getInstant())).append(' ').append(word(record.getLevel()));
        }
        line.append(formatMessage(record));
        if (record.getThrown() != null) {
            StringWriter trace = new StringWriter();
            record.getThrown().printStackTrace(new PrintWriter(trace, true));
            line.append('\n').append(trace.toString().stripTrailing());
        }
        // Each line is a journal entry of its own and needs its own priority; a stray control character ends none.
        String prefix = journal ? "<" + priority(record.getLevel()) + ">" : "";
        StringBuilder text = new StringBuilder();
        line.toString().lines().forEach(part -> text.append(prefix).append(part).append('\n'));
        return text.toString();
    }

    private static int priority(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return 3;
        } else if (level.intValue() >= Level.WARNING.intValue()) {
            return 4;
        }
        return level.intValue() >= Level.INFO.intValue() ? 6 : 7;
    }

    private static String word(Level level) {
        if (level.intValue() >= Level.SEVERE.intValue()) {
            return "ERROR ";
        } else if (level.intValue() >= Level.WARNING.intValue()) {
            return "WARN  ";
        }
        return level.intValue() >= Level.INFO.intValue() ? "INFO  " : "DEBUG ";
    }
}
