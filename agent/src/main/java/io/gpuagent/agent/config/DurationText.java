// SPDX-License-Identifier: Apache-2.0
package io.gpuagent.agent.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 1s}, {@code 2m}, {@code 1h}. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private DurationText() {}

    /**
     * Reads one.
     *
     * @param text as it was written
     * @param shortest the shortest allowed
     * @param longest the longest allowed
     * @return the duration
     * @throws BadValueException when it is none, or out of range
     */
    public static Duration parse(String text, Duration shortest, Duration longest) throws BadValueException {
        String range = "between " + format(shortest) + " and " + format(longest);
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new BadValueException(
                    Quoted.of(text) + " is no duration",
                    "write a whole number with ms, s, m or h, " + range + ", for example 1s");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration duration = switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        if (duration.compareTo(shortest) < 0 || duration.compareTo(longest) > 0) {
            throw new BadValueException(text + " is out of range", "choose one " + range);
        }
        return duration;
    }

    static String format(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
