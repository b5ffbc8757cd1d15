// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.mps.log;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line such as {@code [2021-06-27 07:30:26.837 Control     6] NEW SERVER 17: Ready}.
 *
 * @param written when it was written, in the daemon's time zone, which the line does not tell; empty without a header
 * @param source who wrote it
 * @param pid the writer's pid in its own pid namespace; 0 without a header
 * @param message the rest
 */
public record LogLine(Optional<LocalDateTime> written, Source source, long pid, String message) {
    private static final Pattern FORM = Pattern.compile(
            "\\[(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3}) (Control|Server|Other) +(\\d{1,10})\\] ?(.*)");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS", Locale.ROOT).withResolverStyle(ResolverStyle.STRICT);

    /** Who wrote a line. */
    public enum Source {
        /** The control daemon, or a server that it has just forked. */
        CONTROL,
        /** A server. */
        SERVER,
        /** A server of an older driver. */
        OTHER,
        /** The line has no header. */
        NONE
    }

    /**
     * Takes a line apart; never fails.
     *
     * @param text the line without its end
     * @return its parts, or all of it as a message without a header
     */
    public static LogLine parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return new LogLine(Optional.empty(), Source.NONE, 0, text);
        }
        Optional<LocalDateTime> written;
        try {
            written = Optional.of(LocalDateTime.parse(form.group(1), TIME));
        } catch (DateTimeException noSuchDay) {
            written = Optional.empty();
        }
        Source source = Source.valueOf(form.group(2).toUpperCase(Locale.ROOT));
        return new LogLine(
                written, source, Long.parseLong(form.group(3)), form.group(4).stripTrailing());
    }

    /**
     * The line as a daemon writes it.
     *
     * @param written when
     * @param source who, not {@link Source#NONE}
     * @param pid the writer's pid
     * @param message the rest
     * @return the line without its end
     */
    public static String format(LocalDateTime written, Source source, long pid, String message) {
        String name = source.name().charAt(0) + source.name().substring(1).toLowerCase(Locale.ROOT);
        return String.format(Locale.ROOT, "[%s %s %5d] %s", TIME.format(written), name, pid, message);
    }
}
